#include "cli/console.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "cli/build_info.hpp"

namespace joulecast::cli {
namespace {

constexpr std::string_view kBold = "\x1b[1m", kRed = "\x1b[31m", kCyan = "\x1b[36m", kPlain = "\x1b[0m";

bool wants_color(ColorChoice choice, int stream) {
  if (choice != ColorChoice::automatic) return choice == ColorChoice::always;
  const char* no_color = std::getenv("NO_COLOR");
  if (no_color != nullptr && *no_color != '\0') return false;
  const char* term = std::getenv("TERM");
  return isatty(stream) == 1 && term != nullptr && std::strcmp(term, "dumb") != 0;
}

std::string in_color(bool on, std::string_view color, std::string_view text) {
  return on ? fmt::format("{}{}{}", color, text, kPlain) : std::string(text);
}

void write(std::FILE* stream, std::string_view text) { std::fwrite(text.data(), 1, text.size(), stream); }

}  // namespace

Console::Console(ColorChoice choice)
    : color_out_(wants_color(choice, STDOUT_FILENO)), color_error_(wants_color(choice, STDERR_FILENO)), error_terminal_(isatty(STDERR_FILENO) == 1) {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 40) width_ = size.ws_col;
}

void Console::print(std::string_view text) { write(stdout, text); }

void Console::message(std::string_view line) { write(stderr, fmt::format("{}\n", line)); }

void Console::note(std::string_view line) { message(fmt::format("{} {}", in_color(color_error_, kCyan, "note:"), line)); }

void Console::errors(const UserError& error) {
  flush();
  const std::string label = in_color(color_error_, kRed, "error:");
  for (const UserFault& fault : error.faults()) {
    const std::string place = fault.place.text();
    message(place.empty() ? fmt::format("{} {}", label, fault.what)
                          : fmt::format("{} {}: {}", label, in_color(color_error_, kBold, place), fault.what));
    std::string_view rest = fault.remedy;
    while (!rest.empty()) {
      const std::size_t end = rest.find('\n');
      message(fmt::format("  {}", rest.substr(0, end)));
      rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end + 1);
    }
  }
  if (error.faults().size() > 1) message(fmt::format("{} faults; nothing was written.", error.faults().size()));
}

void Console::bug(std::string_view what, std::string_view command_line) {
  flush();
  const BuildInfo build = build_info();
  message(fmt::format("{} a fault of joulecast itself: {}", in_color(color_error_, kRed, "error:"), what));
  message("  It is not your input's. Please report it with these lines and the scenario file:");
  message(fmt::format("    joulecast {} ({}), {}, {}", build.version, build.commit, build.compiler, build.build_type));
  message(fmt::format("    {}", command_line));
}

bool Console::flush() { return std::fflush(stdout) == 0 && std::ferror(stdout) == 0; }

}  // namespace joulecast::cli
