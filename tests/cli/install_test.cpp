// What is installed and packed: an own policy against an installed joulecast, the package, the container's list of packages.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "cli/program.hpp"

using namespace joulecast::test;
using Catch::Contains;

namespace {

Ended shell(const Scratch& scratch, const std::string& line) { return run_program({"sh", "-c", line}, {scratch.path().string(), {}, 0}); }

std::set<std::string> words(const std::string& text) {
  std::set<std::string> all;
  const std::regex word(R"([a-z0-9+.-]+)");
  for (std::sregex_iterator at(text.begin(), text.end(), word), end; at != end; ++at) all.insert(at->str());
  return all;
}

}  // namespace

TEST_CASE("a program of one's own finds the installed joulecast and runs a scenario under its own policy", "[long]") {
  const Scratch scratch;
  const Ended installed = shell(scratch, "cmake --install '" JOULECAST_BUILD "' --prefix \"$PWD/there\"");
  CAPTURE(installed.err);
  REQUIRE(installed.code == 0);
  const auto share = scratch.path() / "there/share";
  for (const char* file : {"man/man1/joulecast.1.gz", "man/man5/joulecast-scenario.5.gz", "bash-completion/completions/joulecast",
                           "zsh/vendor-completions/_joulecast", "fish/vendor_completions.d/joulecast.fish", "joulecast/scenarios/quickstart.toml"}) {
    CAPTURE(file);
    CHECK(std::filesystem::file_size(share / file) > 100);
  }
  std::filesystem::copy(source() / "docs/examples/own-policy", scratch.path() / "mine", std::filesystem::copy_options::recursive);
  const Ended built =
      shell(scratch, "cmake -S mine -B mine/build -DCMAKE_PREFIX_PATH=\"$PWD/there\" -DCMAKE_BUILD_TYPE=Release && cmake --build mine/build");
  CAPTURE(built.out, built.err);
  REQUIRE(built.code == 0);

  const std::string own = "JOULECAST_SHARE=there/share/joulecast mine/build/my-joulecast ", quick = "there/share/joulecast/scenarios/quickstart.toml";
  CHECK_THAT(shell(scratch, own + "policies").out, Contains("fullest_first") && Contains("round_robin"));
  const std::string run = own + "run " + quick + " --set time.duration='\"5 min\"' --set traffic.chat.request_rate='\"1 /s\"' --json ";
  const Ended ran = shell(scratch, run + "--set router.replica=fullest_first --requests --out mine/run");
  CAPTURE(ran.err);
  REQUIRE(ran.code == 0);
  CHECK(nlohmann::json::parse(ran.out)["traffic"]["chat"]["completed"] > 100);
  // At a request a second one replica takes all of them; the shipped policies use both.
  CHECK(shell(scratch, "cut -d, -f12 mine/run/requests.csv | sort -u | grep -c '[0-9]'").out == "1\n");
  // The parameters of the policy are checked as those of any other.
  const Ended wrong = shell(scratch, own + "check " + quick + " --set 'policy.full={use=\"fullest_first\",mots=3}' --set router.replica=full");
  CHECK(wrong.code == 2);
  CHECK_THAT(wrong.err, Contains("mots") && Contains("most"));
  const Ended joules = shell(scratch, "mine/build/joules " + quick + " there/share/joulecast");
  CHECK(joules.code == 0);
  CHECK_THAT(joules.out, Contains("quickstart: ") && Contains(" J over 1800 s"));
  // The shipped program finds its profiles beside itself, and knows nothing of that policy.
  CHECK_THAT(shell(scratch, "there/bin/joulecast run " + quick + " --set router.replica=fullest_first").err, Contains("fullest_first"));
}

TEST_CASE("the package holds program, manual, completions, profiles and copyright, and depends on what the program is linked with", "[long]") {
  const Scratch scratch;
  if (shell(scratch, "command -v dpkg-deb && command -v dpkg-shlibdeps").code != 0) {
    WARN("dpkg-deb or dpkg-shlibdeps is not there: the package is not made");
    return;
  }
  const Ended made = shell(scratch, "cpack --config '" JOULECAST_BUILD "/CPackConfig.cmake' -G DEB -D CPACK_COMPONENTS_ALL=program -B \"$PWD\"");
  CAPTURE(made.out, made.err);
  REQUIRE(made.code == 0);
  const std::string list = shell(scratch, "dpkg-deb -c joulecast_*.deb").out;
  for (const char* file :
       {"./usr/bin/joulecast\n", "./usr/share/man/man1/joulecast.1.gz\n", "./usr/share/man/man5/joulecast-scenario.5.gz\n",
        "./usr/share/bash-completion/completions/joulecast\n", "./usr/share/joulecast/hardware_profiles/gpus/",
        "./usr/share/joulecast/workloads/models/", "./usr/share/joulecast/scenarios/quickstart.toml\n", "./usr/share/doc/joulecast/copyright\n"}) {
    CHECK_THAT(list, Contains(file));
  }
  CHECK_THAT(list, !Contains(".hpp") && !Contains(".a\n"));
  const std::string depends = shell(scratch, "dpkg-deb -f joulecast_*.deb Depends").out;
  for (const char* library :
       {"libc6", "libstdc++6", "libhdf5-103", "libfmt9", "coinor-libclp1", "libgomp1", "libssl3", "libtomlplusplus3", "tzdata"}) {
    CHECK_THAT(depends, Contains(library));
  }
  CHECK(shell(scratch, "dpkg-deb -f joulecast_*.deb Package Section Architecture").out.find("Section: science") != std::string::npos);
}

TEST_CASE("the container is built from the packages that tools/run installs") {
  const std::string tools = read_text(source() / "tools/common.sh"), docker = read_text(source() / "Dockerfile");
  const std::size_t begin = tools.find("program_packages=(") + 18;
  std::set<std::string> wanted = words(tools.substr(begin, tools.find(')', begin) - begin));
  CHECK(wanted.size() > 10);
  // What packing needs beside them.
  wanted.insert({"dpkg-dev", "file"});
  const std::size_t list = docker.find("--no-install-recommends \\\n") + 26;
  CHECK(words(docker.substr(list, docker.find("&&", list) - list)) == wanted);
  CHECK_THAT(docker, Contains("\nUSER joulecast\n") && Contains("ENTRYPOINT [\"joulecast\"]"));
}
