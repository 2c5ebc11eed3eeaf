#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace joulecast::test {

/// What a page showed in a browser, in a frame of `width` px.
struct Shown {
  int width = 0;
  int charts = 0;                   ///< elements with role="img"
  std::vector<std::string> blank;   ///< text alternatives of those that painted next to nothing
  std::vector<std::string> silent;  ///< headings of cards whose chart has no text alternative
  std::vector<std::string> errors;  ///< of scripts
  int overflow_px = 0;              ///< by which the body is wider than the frame
  bool dark = false;
};

struct Browsed {
  std::vector<Shown> frames;          ///< 1280 px, then 390 px
  std::vector<std::string> console;   ///< lines that pages wrote to the console
  std::vector<std::string> requests;  ///< URLs that were asked for over a network
};

/// Opens a page from file:// in headless Chromium at both widths; nothing where there is no Chromium.
std::optional<Browsed> browse(const std::filesystem::path& page, bool dark);

}  // namespace joulecast::test
