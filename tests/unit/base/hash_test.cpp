#include "base/hash.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "base/error.hpp"

using namespace joulecast;

TEST_CASE("SHA-256 gives the known answers of FIPS 180-4") {
  CHECK(sha256("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(sha256(std::string(1000000, 'a')) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_CASE("the hash of a file is that of its bytes") {
  const auto path = std::filesystem::temp_directory_path() / "joulecast_hash_test.bin";
  const std::string bytes(200001, 'x');
  std::ofstream(path, std::ios::binary) << bytes;
  CHECK(sha256_of_file(path.string()) == sha256(bytes));
  std::filesystem::remove(path);
  CHECK_THROWS_AS(sha256_of_file(path.string()), UserError);
  CHECK_THROWS_AS(sha256_of_file("/"), UserError);
}

TEST_CASE("hash_text is fixed for good: entity streams depend on it") {
  CHECK(hash_text("a") != hash_text("b"));
  CHECK(hash_text("") != hash_text(std::string(1, '\0')));
  CHECK(hash_text("pool.chat") == 0xc6597fae6117b855ULL);
}
