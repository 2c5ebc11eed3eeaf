#include "cli/local_server.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>

namespace joulecast::test {
namespace {

void send_all(int connection, const std::string& bytes) {
  for (std::size_t sent = 0; sent < bytes.size();) {
    const ssize_t now = send(connection, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    if (now <= 0) return;
    sent += static_cast<std::size_t>(now);
  }
}

}  // namespace

LocalServer::LocalServer(std::map<std::string, File> files) : files_(std::move(files)), listener_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  REQUIRE(listener_ >= 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  REQUIRE(bind(listener_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
  REQUIRE(listen(listener_, 8) == 0);
  socklen_t size = sizeof address;
  REQUIRE(getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size) == 0);
  port_ = ntohs(address.sin_port);
  thread_ = std::thread([this] { serve(); });
}

LocalServer::~LocalServer() {
  stopping_ = true;
  shutdown(listener_, SHUT_RDWR);
  thread_.join();
  close(listener_);
}

std::string LocalServer::url() const { return "http://127.0.0.1:" + std::to_string(port_); }

std::vector<std::string> LocalServer::requests() const {
  const std::lock_guard lock(mutex_);
  return requests_;
}

void LocalServer::serve() {
  while (!stopping_) {
    const int connection = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (connection < 0) continue;
    answer(connection);
    shutdown(connection, SHUT_RDWR);
    close(connection);
  }
}

void LocalServer::answer(int connection) {
  std::string request;
  char piece[4096];
  while (request.find("\r\n\r\n") == std::string::npos) {
    const ssize_t got = recv(connection, piece, sizeof piece, 0);
    if (got <= 0) return;
    request.append(piece, static_cast<std::size_t>(got));
  }
  const std::size_t slash = request.find('/');
  const std::string name = request.substr(slash + 1, request.find(' ', slash) - slash - 1);
  std::size_t from = 0;
  const std::size_t range = request.find("Range: bytes=");
  if (range != std::string::npos) from = std::strtoull(request.c_str() + range + 13, nullptr, 10);
  {
    const std::lock_guard lock(mutex_);
    requests_.push_back(name + (range == std::string::npos ? "" : " from " + std::to_string(from)));
  }
  const auto file = files_.find(name);
  if (file == files_.end()) {
    send_all(connection, "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    return;
  }
  const std::string& bytes = file->second.bytes;
  if (from > 0 && from >= bytes.size()) {
    send_all(connection, "HTTP/1.1 416 Range Not Satisfiable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    return;
  }
  std::string head = from == 0 ? "HTTP/1.1 200 OK\r\n" : "HTTP/1.1 206 Partial Content\r\n";
  const std::string size = std::to_string(bytes.size());
  if (from > 0) head += "Content-Range: bytes " + std::to_string(from) + "-" + std::to_string(bytes.size() - 1) + "/" + size + "\r\n";
  head += "Accept-Ranges: bytes\r\nConnection: close\r\nContent-Length: " + std::to_string(bytes.size() - from) + "\r\n\r\n";
  std::string body = bytes.substr(from);
  if (file->second.cuts > 0) {
    --file->second.cuts;
    body.resize(body.size() / 2);
  }
  send_all(connection, head + body);
}

}  // namespace joulecast::test
