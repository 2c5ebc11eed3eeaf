// The manual pages: made of the program's own records, so nothing that the program knows is missing, and a formatter has nothing to say against them.
#include <catch2/catch.hpp>
#include <functional>
#include <nlohmann/json.hpp>
#include <regex>

#include "cli/program.hpp"

using namespace joulecast::test;
using Catch::Contains;

namespace {

std::string page(const std::string& what) {
  const Ended ended = run_joulecast({"docs", what});
  REQUIRE(ended.code == 0);
  return ended.out;
}

/// The page as a terminal shows it, without emphasis, and what the formatter had to say.
Ended formatted(const Scratch& scratch, const std::string& text) {
  scratch.write("page", text);
  Ended ended = run_program({"sh", "-c", "groff -man -ww -b -z page && groff -man -Tutf8 -P-cbou -rLL=400n page | sed 's/\xE2\x80\x90/-/g'"},
                            {scratch.path().string(), {}, 0});
  ended.out = std::regex_replace(ended.out, std::regex(R"(\s+)"), " ");
  return ended;
}

bool can_format() {
  if (run_program({"sh", "-c", "command -v groff"}).code == 0) return true;
  WARN("groff is not there: the pages' form is not checked");
  return false;
}

/// Commands and options of a help text and of its commands' help texts, down to the last.
void collect(const std::vector<std::string>& path, std::vector<std::string>& words) {
  std::vector<std::string> call = path;
  call.emplace_back("--help");
  const std::string help = run_joulecast(call).out;
  const std::string body = help.substr(0, help.find("Examples:"));
  const std::regex option(R"((--[a-z][a-z0-9-]*))");
  for (std::sregex_iterator at(body.begin(), body.end(), option), end; at != end; ++at) words.push_back((*at)[1]);
  const std::size_t commands = body.find("Subcommands:");
  if (commands == std::string::npos) return;
  const std::string list = body.substr(commands);
  const std::regex name(R"(\n  ([a-z]+) )");
  for (std::sregex_iterator at(list.begin(), list.end(), name), end; at != end; ++at) {
    std::vector<std::string> below = path;
    below.push_back((*at)[1]);
    std::string spelled;
    for (const std::string& word : below) spelled += (spelled.empty() ? "" : " ") + word;
    words.push_back(spelled);
    collect(below, words);
  }
}

}  // namespace

TEST_CASE("the manual has every command and option that the helps name, and formats without a warning") {
  if (!can_format()) return;
  const Scratch scratch;
  const Ended shown = formatted(scratch, page("man"));
  CHECK(shown.code == 0);
  CHECK(shown.err == "");
  std::vector<std::string> words;
  collect({}, words);
  CHECK(words.size() > 80);
  for (const std::string& word : words) {
    CAPTURE(word);
    CHECK_THAT(shown.out, Contains(word));
  }
  for (const char* heading : {"EXIT STATUS", "ENVIRONMENT", "JOULECAST_DATA", "NO_COLOR", "FILES", "EXAMPLES", "SEE ALSO", "joulecast-scenario(5)"}) {
    CHECK_THAT(shown.out, Contains(heading));
  }
  CHECK_THAT(shown.out, Contains("joulecast run mine.toml --set pool.chat.replicas=4 --set 'pool.chat.sm_clock=\"1410 MHz\"'"));
}

TEST_CASE("the scenario's manual has every key of the schema with its default, and formats without a warning") {
  if (!can_format()) return;
  const Scratch scratch;
  const Ended shown = formatted(scratch, page("scenario"));
  CHECK(shown.code == 0);
  CHECK(shown.err == "");
  const auto schema = nlohmann::json::parse(run_joulecast({"schema", "--json"}).out);
  std::size_t keys = 0;
  const std::function<void(const nlohmann::json&)> look = [&](const nlohmann::json& list) {
    for (const auto& key : list) {
      ++keys;
      CAPTURE(key["key"]);
      CHECK_THAT(shown.out, Contains(key["key"].get<std::string>()));
      if (key.contains("default")) CHECK_THAT(shown.out, Contains("default " + key["default"].get<std::string>()));
      if (key.contains("keys")) look(key["keys"]);
    }
  };
  look(schema["keys"]);
  CHECK(keys > 150);
}

TEST_CASE("a document that is none is refused with the nearest one") {
  const Ended ended = run_joulecast({"docs", "mann"});
  CHECK(ended.code == 2);
  CHECK_THAT(ended.err, Contains("did you mean man?"));
}
