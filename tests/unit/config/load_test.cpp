#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "config/node.hpp"
#include "faults.hpp"

using namespace joulecast;
using namespace joulecast::config;
namespace fs = std::filesystem;

namespace {

/// A folder of files that is gone with the test.
class Folder {
 public:
  Folder() {
    fs::remove_all(root_);
    fs::create_directories(root_ / "sub");
  }
  ~Folder() { fs::remove_all(root_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string file(const std::string& name, const std::string& text) const {
    std::ofstream(root_ / name) << text;
    return (root_ / name).string();
  }

 private:
  fs::path root_ = fs::temp_directory_path() / "joulecast_load_test";
};

Faults load_faults(const std::string& path) {
  return faults_of([&](Diagnostics&) { load(path); });
}

Node with(const std::string& text, const std::string& assignment) {
  Node root = parse_text(text, "a.toml");
  set(root, assignment);
  return root;
}

Faults set_faults(const std::string& assignment) {
  return faults_of([&](Diagnostics&) { with("a = 1\n[t]\nx = 1\n", assignment); });
}

}  // namespace

TEST_CASE("extends merges table by table, the nearer file winning") {
  const Folder folder;
  folder.file("base.toml", "seed = 1\nlist = [1, 2]\n[pool.chat]\nreplicas = 2\nnode = \"n\"\nslo = { ttft = \"2 s\", tpot = \"80 ms\" }\n");
  folder.file("sub/more.toml", "extends = \"../base.toml\"\n[pool.code]\nreplicas = 1\n[pool.chat]\nslo = { ttft = \"1 s\" }\n");
  folder.file("other.toml", "seed = 3\nname = \"other\"\n");
  const std::string top = folder.file("top.toml", "extends = [\"sub/more.toml\", \"other.toml\"]\nlist = [3]\n[pool.chat]\nreplicas = 7\n");
  const Node root = load(top);
  CHECK(same(root, parse_text("seed = 3\nlist = [3]\nname = \"other\"\n[pool.chat]\nreplicas = 7\nnode = \"n\"\n"
                              "slo = { ttft = \"1 s\", tpot = \"80 ms\" }\n[pool.code]\nreplicas = 1\n",
                              "expected")));
  // A value remembers the file that it stands in, so that its paths stay relative to that file.
  const Table* chat = root.as<Table>()->find("pool")->as<Table>()->find("chat")->as<Table>();
  CHECK(fs::path(chat->find("node")->place().file).filename() == "base.toml");
  CHECK(chat->find("replicas")->place().text() == top + ":4:12");
}

TEST_CASE("extends: circles, missing files and wrong kinds are refused with the place") {
  const Folder folder;
  const std::string a = folder.file("a.toml", "x = 1\nextends = \"sub/b.toml\"\n");
  folder.file("sub/b.toml", "extends = \"../a.toml\"\n");
  const Faults circle = load_faults(a);
  REQUIRE(circle.size() == 1);
  CHECK(circle[0].find("1:11 \"extends\" goes in a circle: " + a + " -> ") == 0);
  CHECK(circle[0].find("sub/../a.toml | remove one") != std::string::npos);
  const std::string self = folder.file("self.toml", "extends = \"./self.toml\"\n");
  CHECK(load_faults(self).at(0).find("circle") != std::string::npos);

  const Faults missing = load_faults(folder.file("m.toml", "x = 1\n\nextends = [\"gone.toml\"]\n"));
  REQUIRE(missing.size() == 1);
  CHECK(missing[0].find("3:12 \"extends\" names a file that is not there: ") == 0);
  CHECK(load_faults(folder.file("k.toml", "extends = 3\n")).at(0).find("1:11 \"extends\" expects a file name") == 0);
  CHECK(load_faults(folder.file("l.toml", "extends = [3]\n")).at(0).find("1:12 \"extends\" expects file names") == 0);

  // The same base by two ways is no circle.
  folder.file("base.toml", "b = 1\n");
  folder.file("l1.toml", "extends = \"base.toml\"\nl = 1\n");
  folder.file("l2.toml", "extends = \"base.toml\"\nr = 1\n");
  CHECK(same(load(folder.file("d.toml", "extends = [\"l1.toml\", \"l2.toml\"]\n")), parse_text("b = 1\nl = 1\nr = 1\n", "expected")));
}

TEST_CASE("merge: a table into a table, anything else replaces") {
  Node base = parse_text("a = 1\nt = { x = 1, y = 2 }\nl = [1, 2]\n", "base");
  merge(base, parse_text("t = { y = { z = 3 } }\nl = { q = 1 }\nb = 2\n", "over"));
  CHECK(same(base, parse_text("a = 1\nb = 2\nt = { x = 1, y = { z = 3 } }\nl = { q = 1 }\n", "expected")));
}

TEST_CASE("--set takes any TOML value") {
  const std::string text = "a = 1\n[pool.chat]\nreplicas = 2\n";
  CHECK(same(with(text, "pool.chat.replicas=6"), parse_text("a = 1\n[pool.chat]\nreplicas = 6\n", "e")));
  CHECK(same(with(text, "pool.code.replicas = 6"), parse_text("a = 1\n[pool.chat]\nreplicas = 2\n[pool.code]\nreplicas = 6\n", "e")));
  CHECK(same(with("", "a.\"b.c\".d=[1, 2.5]"), parse_text("a.\"b.c\".d = [1, 2.5]", "e")));
  CHECK(same(with("", "a.'x=y'=true"), parse_text("a.'x=y' = true", "e")));
  CHECK(same(with("", "t={file=\"x.csv\",format=\"azure\"}"), parse_text("t = { file = \"x.csv\", format = \"azure\" }", "e")));
  CHECK(same(with("t = { file = \"y\", repeat = true }", "t={file=\"x.csv\"}"), parse_text("t = { file = \"x.csv\" }", "e")));
  CHECK(same(with("", "start=2026-03-02T00:00:00+01:00"), parse_text("start = 2026-03-02T00:00:00+01:00", "e")));
  CHECK(same(with("", "a=\"b=c\""), parse_text("a = \"b=c\"", "e")));
}

TEST_CASE("--set takes a bare word as a string") {
  for (const char* word : {"dgx-h100", "meta-llama/Llama-3.1-8B-Instruct", "1.25 kW", "80 %", "x", "./mine.toml", "truely", "01", "gr\u00fcn"}) {
    INFO(word);
    CHECK(same(with("", std::string("a=") + word), parse_text("a = " + quoted(word), "e")));
  }
  CHECK(same(with("", "a= 1.25 kW "), parse_text("a = \"1.25 kW\"", "e")));
}

TEST_CASE("--set knows the column of what it reads") {
  const Node root = with("", "traffic.chat.requests={file=\"x.csv\"}");
  const Node* requests = root.as<Table>()->find("traffic")->as<Table>()->find("chat")->as<Table>()->find("requests");
  CHECK(requests->place().text() == "--set:1:23");
  CHECK(requests->as<Table>()->find("file")->place().text() == "--set:1:29");
  CHECK(with("", "a.b=dgx-h100").as<Table>()->find("a")->as<Table>()->find("b")->place().text() == "--set:1:5");
  CHECK(with("", "'\u00fc'=5").as<Table>()->find("\u00fc")->place().text() == "--set:1:5");
}

TEST_CASE("--set refuses what is no assignment") {
  CHECK(set_faults("replicas").at(0).find("1:1 no \"=\" in \"replicas\" | write --set table.key=VALUE") == 0);
  CHECK(set_faults("=5").at(0).find("1:1 no key stands before") == 0);
  CHECK(set_faults("").at(0).find("1:1 no \"=\"") == 0);
  CHECK(set_faults("b=").at(0).find("1:3 nothing stands behind") == 0);
  CHECK(set_faults("a.b=5") == Faults{"1:3 a is an integer (a.toml:1:5), it has no key \"b\" | set a to a table instead"});
  CHECK(set_faults("b=1\nc=2").size() == 1);
  CHECK(set_faults("b=1\n[c]").size() == 1);
  CHECK(set_faults("[x]\nb=1").size() == 1);
  CHECK(set_faults("b={x=").size() == 1);
  CHECK(set_faults("b=\"x").size() == 1);
  CHECK(set_faults("b=\xff").size() == 1);
  CHECK(set_faults("a..b=1").size() == 1);
  CHECK(set_faults("t.x=2").empty());
}
