#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace joulecast::test {

/// A small HTTP server on this machine: GET with byte ranges, from files that are held in memory.
class LocalServer {
 public:
  struct File {
    std::string bytes;
    int cuts = 0;  ///< so many answers break off in the middle of what they should send
  };

  explicit LocalServer(std::map<std::string, File> files);
  ~LocalServer();
  LocalServer(const LocalServer&) = delete;
  LocalServer& operator=(const LocalServer&) = delete;

  /// "http://127.0.0.1:PORT"
  std::string url() const;
  /// "NAME" or "NAME from BYTE", in the order of the requests.
  std::vector<std::string> requests() const;

 private:
  void serve();
  void answer(int connection);

  std::map<std::string, File> files_;
  int listener_ = -1;
  int port_ = 0;
  mutable std::mutex mutex_;
  std::vector<std::string> requests_;
  std::atomic<bool> stopping_{false};
  std::thread thread_;
};

}  // namespace joulecast::test
