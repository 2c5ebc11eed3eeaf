#include "cli/background.hpp"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <fstream>

namespace joulecast::test {

Background::Background(const std::vector<std::string>& words, const std::string& folder) : child_(fork()) {
  REQUIRE(child_ >= 0);
  if (child_ > 0) return;
  if (chdir(folder.c_str()) != 0) _exit(126);
  unsetenv("NO_COLOR");
  const int nothing = open("/dev/null", O_RDWR);
  for (const int stream : {0, 1, 2}) dup2(nothing, stream);
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  _exit(127);
}

Background::~Background() {
  if (ended()) return;
  kill_now();
  code();
}

std::vector<pid_t> Background::children() const {
  std::ifstream file("/proc/" + std::to_string(child_) + "/task/" + std::to_string(child_) + "/children");
  std::vector<pid_t> all;
  for (pid_t each = 0; file >> each;) all.push_back(each);
  return all;
}

void Background::kill_now() const { kill(child_, SIGKILL); }

bool Background::ended() {
  if (!ended_) ended_ = waitpid(child_, &status_, WNOHANG) == child_;
  return ended_;
}

int Background::code() {
  if (!ended_) waitpid(child_, &status_, 0);
  ended_ = true;
  return WIFEXITED(status_) ? WEXITSTATUS(status_) : 128 + WTERMSIG(status_);
}

}  // namespace joulecast::test
