#include "base/shell_word.hpp"

#include <catch2/catch.hpp>

using joulecast::shell_word;

TEST_CASE("a word is quoted for a shell where it must be") {
  CHECK(shell_word("pool.chat.replicas=4") == "pool.chat.replicas=4");
  CHECK(shell_word("a=\"1410 MHz\"") == "'a=\"1410 MHz\"'");
  CHECK(shell_word("it's") == "'it'\\''s'");
  CHECK(shell_word("") == "''");
}
