// tools/fetch-trace against a server on this machine: what is whole and right is kept, anything else is not.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "cli/local_server.hpp"
#include "cli/program.hpp"

using namespace joulecast::test;
using Catch::Contains;

namespace {

std::string rows(int count) {
  std::string text = "arrived_at,num_prefill_tokens,num_decode_tokens\n";
  for (int i = 0; i < count; ++i) text += std::to_string(i) + ".5," + std::to_string(1 + i % 997) + ",7\n";
  return text;
}

/// The sha256 of a text, by the same tool that the script uses.
std::string sha256(const Scratch& scratch, const std::string& text) {
  return run_program({"sha256sum", scratch.write("bytes", text)}).out.substr(0, 64);
}

class Fetch {
 public:
  explicit Fetch(const std::string& catalogue) : list_(scratch_.write("list", catalogue)) {}

  Ended operator()(const LocalServer& server, std::vector<std::string> words) const {
    words.insert(words.begin(), (source() / "tools/fetch-trace").string());
    words.insert(words.end(), {"--catalogue", list_, "--to", folder(), "--from", server.url()});
    return run_program(words, {"", {{"no_proxy", "*"}}, 0});
  }
  std::string folder() const { return (scratch_.path() / "got").string(); }
  std::vector<std::string> got() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder())) names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
  }
  std::string text(const std::string& name) const { return read_text(std::filesystem::path(folder()) / name); }
  void put(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories(folder());
    std::ofstream(folder() + "/" + name, std::ios::binary) << text;
  }

 private:
  Scratch scratch_;
  std::string list_;
};

bool no_curl() {
  if (run_program({"curl", "--version"}).code == 0) return false;
  WARN("curl is not installed: skipped");
  return true;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("a trace whose sha256 is right is kept under its name, and not fetched again") {
  if (no_curl()) return;
  const Scratch scratch;
  const std::string file = rows(5000);
  const Fetch fetch("one | t.csv | " + sha256(scratch, file) + " | MIT | http://nowhere.invalid/t.csv\n");
  const LocalServer server({{"t.csv", {file, 0}}});
  const Ended first = fetch(server, {"one"});
  CAPTURE(first.err);
  CHECK(first.code == 0);
  CHECK_THAT(first.err, Contains("as pinned"));
  CHECK(fetch.got() == Names{"t.csv"});
  CHECK(fetch.text("t.csv") == file);
  CHECK(fetch(server, {"one"}).code == 0);
  CHECK(server.requests() == Names{"t.csv"});
}

TEST_CASE("a trace with another sha256 is thrown away; a file of that name that is another is left alone") {
  if (no_curl()) return;
  const Scratch scratch;
  const Fetch fetch("one | t.csv | " + sha256(scratch, rows(5000)) + " | MIT | http://nowhere.invalid/t.csv\n");
  const LocalServer server({{"t.csv", {rows(4000), 0}}});
  const Ended wrong = fetch(server, {"one"});
  CHECK(wrong.code == 1);
  CHECK_THAT(wrong.err, Contains("expected " + sha256(scratch, rows(5000))) && Contains(sha256(scratch, rows(4000))));
  CHECK(fetch.got().empty());
  fetch.put("t.csv", "mine");
  CHECK(fetch(server, {"one"}).code == 1);
  CHECK(fetch.text("t.csv") == "mine");
}

TEST_CASE("a file that the server does not have") {
  if (no_curl()) return;
  const Fetch fetch("one | t.csv | 0123 | MIT | http://nowhere.invalid/t.csv\n");
  const LocalServer server({});
  const Ended missing = fetch(server, {"one"});
  CHECK(missing.code == 1);
  CHECK_THAT(missing.err, Contains("could not be fetched") && Contains("404") && Contains("--from"));
  CHECK(fetch.got().empty());
}

TEST_CASE("a connection that breaks off goes on where it stopped, in the same run or the next") {
  if (no_curl()) return;
  const Scratch scratch;
  const std::string file = rows(50'000);
  const std::string line = "one | t.csv | " + sha256(scratch, file) + " | MIT | http://nowhere.invalid/t.csv\n";
  {
    const Fetch fetch(line);
    const LocalServer server({{"t.csv", {file, 1}}});
    const Ended ended = fetch(server, {"one"});
    CAPTURE(ended.err);
    CHECK(ended.code == 0);
    CHECK(fetch.text("t.csv") == file);
    CHECK(server.requests() == Names{"t.csv", "t.csv from " + std::to_string(file.size() / 2)});
  }
  const Fetch fetch(line);
  {
    const LocalServer server({{"t.csv", {file, 1000}}});
    const Ended cut = fetch(server, {"one"});
    CHECK(cut.code == 1);
    CHECK_THAT(cut.err, Contains("run again to go on"));
    CHECK(fetch.got() == Names{"t.csv.part"});
  }
  const std::size_t had = fetch.text("t.csv.part").size();
  const LocalServer server({{"t.csv", {file, 0}}});
  CHECK(fetch(server, {"one"}).code == 0);
  CHECK(fetch.got() == Names{"t.csv"});
  CHECK(fetch.text("t.csv") == file);
  CHECK(server.requests() == Names{"t.csv from " + std::to_string(had)});
}

TEST_CASE("what lies aside and is longer than the file is fetched afresh") {
  if (no_curl()) return;
  const Scratch scratch;
  const std::string file = rows(100);
  const Fetch fetch("one | t.csv | " + sha256(scratch, file) + " | MIT | http://nowhere.invalid/t.csv\n");
  fetch.put("t.csv.part", rows(200));
  const LocalServer server({{"t.csv", {file, 0}}});
  CHECK(fetch(server, {"one"}).code == 0);
  CHECK(fetch.text("t.csv") == file);
}

TEST_CASE("a trace without a pinned sha256 lies aside until it is accepted") {
  if (no_curl()) return;
  const Scratch scratch;
  const std::string file = rows(10);
  const Fetch fetch("one | t.csv | - | MIT | http://nowhere.invalid/t.csv\n");
  const LocalServer server({{"t.csv", {file, 0}}});
  const Ended first = fetch(server, {"one"});
  CHECK(first.code == 1);
  CHECK_THAT(first.err, Contains(sha256(scratch, file)) && Contains("--accept-unpinned"));
  CHECK(fetch.got() == Names{"t.csv.unpinned"});
  CHECK(fetch(server, {"one", "--accept-unpinned"}).code == 0);
  CHECK(fetch.got() == Names{"t.csv"});
  CHECK(server.requests() == Names{"t.csv"});
}

TEST_CASE("wrong usage of fetch-trace, and its list") {
  const std::string script = (source() / "tools/fetch-trace").string();
  const Ended unknown = run_program({script, "azure-2032-code"});
  CHECK(unknown.code == 2);
  CHECK_THAT(unknown.err, Contains("azure-2032-code") && Contains("azure-2023-code"));
  CHECK(run_program({script}).code == 2);
  CHECK(run_program({script, "--form", "x"}).code == 2);
  CHECK(run_program({script, "--to"}).code == 2);
  const Ended list = run_program({script, "--list"});
  CHECK(list.code == 0);
  CHECK_THAT(list.out, Contains("azure-2023-conv") && Contains("burstgpt-3") && Contains("mooncake-conversation") && Contains("unpinned"));
}

TEST_CASE("the pinned traces are those of the measured data") {
  const char* data = std::getenv("JOULECAST_DATA");
  if (data == nullptr) {
    WARN("JOULECAST_DATA is not set: skipped");
    return;
  }
  const std::string list = read_text(source() / "tools/fetch-trace.list");
  for (const std::string file : {"azure-llm/AzureLLMInferenceTrace_code.csv", "azure-llm/AzureLLMInferenceTrace_conv.csv", "vidur/splitwise_code.csv",
                                 "vidur/splitwise_conv.csv", "vidur/arxiv_summarization_stats_llama2_tokenizer_filtered_v2.csv"}) {
    const std::string sha = run_program({"sha256sum", std::string(data) + "/traces/" + file}).out.substr(0, 64);
    CHECK_THAT(list, Contains(std::filesystem::path(file).filename().string() + " | " + sha + " |"));
  }
}
