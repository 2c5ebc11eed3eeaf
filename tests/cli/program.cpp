#include "cli/program.hpp"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <fstream>
#include <sstream>
#include <thread>

namespace joulecast::test {

namespace fs = std::filesystem;

Scratch::Scratch() {
  std::string pattern = (fs::temp_directory_path() / "joulecast-test-XXXXXX").string();
  REQUIRE(mkdtemp(pattern.data()) != nullptr);
  path_ = pattern;
}

Scratch::~Scratch() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::string Scratch::write(const std::string& name, const std::string& text) const {
  std::ofstream file(path_ / name, std::ios::binary);
  file << text;
  return (path_ / name).string();
}

std::vector<std::string> Scratch::names() const {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(path_)) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::string read_text(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

Ended run_program(const std::vector<std::string>& words, const Start& start) {
  const Scratch scratch;
  const std::string out = (scratch.path() / "out").string(), err = (scratch.path() / "err").string();
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    if (!start.folder.empty() && chdir(start.folder.c_str()) != 0) _exit(126);
    unsetenv("NO_COLOR");
    for (const auto& [name, value] : start.environment) setenv(name.c_str(), value.c_str(), 1);
    const int nothing = open("/dev/null", O_RDONLY), to_out = open(out.c_str(), O_WRONLY | O_CREAT, 0600),
              to_err = open(err.c_str(), O_WRONLY | O_CREAT, 0600);
    dup2(nothing, 0);
    dup2(to_out, 1);
    dup2(to_err, 2);
    std::vector<char*> arguments;
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    execvp(arguments[0], arguments.data());
    _exit(127);
  }
  if (start.interrupt_after_ms > 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(start.interrupt_after_ms));
    kill(child, SIGINT);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), read_text(out), read_text(err)};
}

Ended run_joulecast(std::vector<std::string> arguments, const Start& start) {
  arguments.insert(arguments.begin(), JOULECAST_PROGRAM);
  return run_program(arguments, start);
}

fs::path source() { return JOULECAST_SOURCE; }

}  // namespace joulecast::test
