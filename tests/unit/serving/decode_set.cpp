#include "serving/decode_set.hpp"

#include <catch2/catch.hpp>
#include <vector>

#include "base/philox.hpp"

using namespace joulecast;
using namespace joulecast::serving;

namespace {

struct Fixture {
  explicit Fixture(std::int64_t size, std::uint64_t seed) : block_size(size), set(requests, size), random(seed, "decode set", "test") {}

  void join(std::int64_t offset, std::int64_t last_step) {
    const std::uint32_t slot = requests.add(table[table.add({Time{0}, 1, 1})], table.size());
    requests[slot].offset = offset;
    requests[slot].last_step = last_step;
    set.join(slot);
    members.push_back(slot);
  }
  std::int64_t blocks_one_by_one(std::int64_t step) const {
    std::int64_t blocks = 0;
    for (const std::uint32_t slot : members) {
      const std::int64_t tokens = requests[slot].offset + step;
      blocks += (tokens + block_size - 1) / block_size - (tokens - 1 + block_size - 1) / block_size;
    }
    return blocks;
  }

  std::int64_t block_size;
  RequestTable table;
  ActiveRequests requests;
  DecodeSet set;
  Stream random;
  std::vector<std::uint32_t> members;
};

}  // namespace

TEST_CASE("Blocks needed and steps within free blocks equal a count sequence by sequence") {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Fixture f(static_cast<std::int64_t>(1 + seed % 17), seed);
    const std::int64_t now = 1000;
    const auto count = static_cast<std::int64_t>(1 + f.random.below(9));
    // Contexts from 1 token on: an offset may be negative, as steps are numbered from the replica's first.
    for (std::int64_t i = 0; i < count; ++i) f.join(static_cast<std::int64_t>(f.random.below(200)) - now + 1, now + 500);
    std::int64_t sum = 0, context = 0;
    for (std::int64_t step = now; step < now + 60; ++step) {
      REQUIRE(f.set.blocks_needed(step) == f.blocks_one_by_one(step));
      REQUIRE(f.set.blocks_needed(now, step - now) == sum);
      sum += f.blocks_one_by_one(step);
    }
    for (const std::uint32_t slot : f.members) context += f.requests[slot].offset + now;
    REQUIRE(f.set.context(now) == context);
    for (std::int64_t free = 0; free < 3 * count; ++free) {
      std::int64_t steps = 0, left = free;
      while (steps < 50 && f.blocks_one_by_one(now + steps) <= left) left -= f.blocks_one_by_one(now + steps++);
      REQUIRE(f.set.steps_within(free, now, 50) == steps);
    }
  }
}

TEST_CASE("The first to be done comes out first, and one that left does not come out") {
  Fixture f(4, 1);
  f.join(3, 12);
  f.join(0, 10);
  f.join(-2, 12);
  f.join(1, 12);
  REQUIRE(f.set.first_done() == 10);
  std::vector<std::uint32_t> done;
  f.set.take_done(9, done);
  REQUIRE(done.empty());
  f.set.take_done(10, done);
  REQUIRE(done == std::vector<std::uint32_t>{f.members[1]});
  // In step 13 sequences at offset 0 modulo 4 need a block: 12 + offset is then a multiple of 4. Of the rest only -2, 1, 3 are there.
  REQUIRE(f.set.blocks_of_done(12) == 0);
  f.join(4, 12);
  REQUIRE(f.set.blocks_of_done(12) == 1);
  f.set.leave(f.members[0]);
  f.requests[f.members[0]].stage = Stage::waiting;
  REQUIRE(f.set.first_done() == 12);
  done.clear();
  f.set.take_done(12, done);
  REQUIRE(done.size() == 3);
  REQUIRE(f.set.count() == 0);
  REQUIRE(f.set.first_done() == INT64_MAX);
}
