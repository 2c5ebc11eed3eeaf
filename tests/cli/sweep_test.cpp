// `joulecast sweep`: its files and tables, the same bytes for any -j and any shards, what is kept when it is killed, and what it refuses.
#include <catch2/catch.hpp>
#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

#include "cli/background.hpp"
#include "cli/sweep_support.hpp"

using namespace joulecast::test;
using Catch::Contains;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

json sweep_json(const fs::path& folder) { return json::parse(read_text(folder / "sweep.json")); }

}  // namespace

TEST_CASE("a sweep shows the Pareto front, leaves its files, and is the same bytes for any number of points at once") {
  const Scratch scratch;
  const Ended one = sweep_in(scratch, small_sweep(), joined(kShort, {"--out", "one", "-j", "1"}));
  CAPTURE(one.err, one.out);
  REQUIRE(one.code == 0);
  CHECK_THAT(one.out, Contains("9 points") && Contains("Pareto front") && Contains("Best by each objective") && Contains("results  one") &&
                          Contains("joulecast run ") && Contains("--set pool.chat.replicas="));
  REQUIRE(sweep_in(scratch, small_sweep(), joined(kShort, {"--out", "two", "-j", "3"})).code == 0);
  CHECK(differing(scratch.path() / "one", scratch.path() / "two").empty());
  CHECK(kept_points(scratch.path() / "one.points") == 9);

  const json swept = sweep_json(scratch.path() / "one");
  REQUIRE(swept["point"].size() == 9);
  CHECK(swept["dimension"][0]["name"] == "pool.chat.gpu_power_limit");
  CHECK(swept["dimension"][0]["keys"][0]["unit"] == "W");
  CHECK(swept["dimension"][0]["keys"][0]["values"] == json::array({700.0, 450.0, 300.0}));
  CHECK(swept["dimension"][1]["name"] == "traffic.chat.request_rate+pool.chat.replicas");
  CHECK(swept["point"][5]["coordinates"]["pool.chat.gpu_power_limit"] == 450);
  CHECK(swept["point"][5]["coordinates"]["pool.chat.replicas"] == 4);
  // No point is better in both objectives than one of the front.
  const std::string joules = "energy_per_output_token_joules.facility", ttft = "traffic.chat.ttft_s.p99";
  std::size_t on_front = 0;
  for (const json& point : swept["point"]) {
    on_front += point["on_front"].get<bool>() ? 1U : 0U;
    for (const json& other : swept["point"]) {
      const bool better =
          other["slo_held"] == true && other["values"][joules] < point["values"][joules] && other["values"][ttft] < point["values"][ttft];
      CHECK_FALSE((point["on_front"].get<bool>() && better));
    }
  }
  CHECK(on_front > 0);
}

TEST_CASE("a point of a sweep is the run that its settings lead to") {
  const Scratch scratch;
  REQUIRE(sweep_in(scratch, small_sweep(), joined(kShort, {"--out", "swept"})).code == 0);
  const json point = sweep_json(scratch.path() / "swept")["point"][7];
  const std::string command = std::string(JOULECAST_PROGRAM) + " run " + small_sweep() +
                              " --set \"time.duration='8 s'\" --set \"time.warmup='1 s'\" --out alone " + point["settings"].get<std::string>();
  const Ended alone = run_program({"sh", "-c", command}, {scratch.path().string(), {}, 0});
  CAPTURE(alone.err);
  REQUIRE(alone.code == 0);
  CHECK_THAT(read_text(scratch.path() / "alone/report.txt"), Contains("left alone"));
  const json summary = json::parse(read_text(scratch.path() / "alone/summary.json"));
  CHECK(summary["energy_joules"]["facility"] == point["values"]["energy_joules.facility"]);
  CHECK(summary["traffic"]["chat"]["ttft_s"]["p99"] == point["values"]["traffic.chat.ttft_s.p99"]);
}

TEST_CASE("shards put together are the same bytes as one sweep; missing and foreign ones are named") {
  const Scratch scratch;
  REQUIRE(sweep_in(scratch, small_sweep(), joined(kShort, {"--out", "whole"})).code == 0);
  for (const std::string i : {"1", "2", "3", "4"}) {
    const Ended shard = sweep_in(scratch, small_sweep(), joined(kShort, {"--shard", i + "/4", "--out", "shard-" + i}));
    CAPTURE(shard.err);
    REQUIRE(shard.code == 0);
  }
  const std::vector<std::string> all = {"--merge", "shard-3", "shard-1", "shard-4", "shard-2"};
  const Ended merged = sweep_in(scratch, small_sweep(), joined(kShort, joined({"--out", "merged"}, all)));
  CAPTURE(merged.err);
  REQUIRE(merged.code == 0);
  CHECK(differing(scratch.path() / "whole", scratch.path() / "merged").empty());

  const Ended missing = sweep_in(scratch, small_sweep(), joined(kShort, {"--out", "less", "--merge", "shard-1", "shard-2", "shard-4"}));
  CHECK(missing.code == 2);
  CHECK_THAT(missing.err, Contains("point 2 (pool.chat.gpu_power_limit=\"700 W\"") && Contains("point 6") && Contains("merge shard 3/4 too"));
  CHECK_FALSE(fs::exists(scratch.path() / "less"));
  const Ended other = sweep_in(scratch, small_sweep(), joined(kShort, joined({"--seed", "9", "--out", "less"}, all)));
  CHECK(other.code == 2);
  CHECK_THAT(other.err, Contains("shard-3: this is a shard of another scenario"));
  CHECK_THAT(sweep_in(scratch, small_sweep(), joined(kShort, {"--out", "less", "--merge", "whole"})).err, Contains("holds a whole sweep"));

  // A shard of another version is named, and none of it is taken.
  json foreign = json::parse(read_text(scratch.path() / "shard-2/shard.json"));
  foreign["git_hash"] = "0123456789ab";
  fs::create_directory(scratch.path() / "foreign");
  scratch.write("foreign/shard.json", foreign.dump());
  const Ended version = sweep_in(scratch, small_sweep(), joined(kShort, {"--out", "less", "--merge", "shard-1", "foreign"}));
  CHECK(version.code == 2);
  CHECK_THAT(version.err, Contains("foreign: another build made this shard") && Contains("0123456789ab"));
}

TEST_CASE("a killed sweep goes on where it was, to the same bytes") {
  const Scratch scratch;
  const std::vector<std::string> words = joined({JOULECAST_PROGRAM, "sweep", small_sweep(), "-j", "2", "--out", "cut"}, kLong);
  {
    Background running(words, scratch.path().string());
    while (kept_points(scratch.path() / "cut.points") < 2 && !running.ended()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    running.kill_now();
    CHECK(running.code() == 128 + 9);
  }
  const std::size_t kept = kept_points(scratch.path() / "cut.points");
  CHECK(kept >= 2);
  CHECK(kept < 9);
  CHECK_FALSE(fs::exists(scratch.path() / "cut"));
  // A point that was half-written when it was killed is none.
  scratch.write("cut.points/0123456789abcdef.json", "{\"schema\":1,\"ver");
  const Ended on = sweep_in(scratch, small_sweep(), joined(kLong, {"--out", "cut"}));
  CAPTURE(on.err);
  REQUIRE(on.code == 0);
  CHECK_THAT(on.err, Contains(std::to_string(kept) + " of 9 points are kept from before"));
  REQUIRE(sweep_in(scratch, small_sweep(), joined(kLong, {"--out", "whole"})).code == 0);
  CHECK(differing(scratch.path() / "whole", scratch.path() / "cut").empty());
}

TEST_CASE("Ctrl-C keeps what is done, says how to go on, and leaves no results") {
  const Scratch scratch;
  const Ended ended = sweep_in(scratch, small_sweep(), {"--set", "time.duration='3 h'", "--out", "cut", "-j", "1"}, 1500);
  CHECK(ended.code == 130);
  CHECK_THAT(ended.err, Contains("interrupted: ") && Contains("are kept in cut.points; go on with") && Contains("joulecast sweep "));
  CHECK_FALSE(fs::exists(scratch.path() / "cut"));
}

TEST_CASE("the same sweep again is already there; a wider one takes over the points it shares") {
  const Scratch scratch;
  const std::vector<std::string> narrow = joined(kShort, {"--set", "sweep.pool.chat.gpu_power_limit=['700 W','450 W']"});
  REQUIRE(sweep_in(scratch, small_sweep(), narrow).code == 0);
  const Ended again = sweep_in(scratch, small_sweep(), joined(narrow, {"--json"}));
  CHECK(again.code == 0);
  CHECK_THAT(again.err, Contains("already there: runs/sweep-load-and-cap-"));
  CHECK(json::parse(again.out)["point"].size() == 6);
  const Ended wider = sweep_in(scratch, small_sweep(), kShort);
  CHECK(wider.code == 0);
  CHECK_THAT(wider.err, Contains("6 of 9 points are kept from before"));
  REQUIRE(sweep_in(scratch, small_sweep(), joined(kShort, {"--out", "kept"})).code == 0);
  const Ended refused = sweep_in(scratch, small_sweep(), joined(kShort, {"--out", "kept", "--seed", "5"}));
  CHECK(refused.code == 2);
  CHECK_THAT(refused.err, Contains("holds the results of another run"));
  // Points and results of another build are not taken for this one's.
  for (const auto& entry : fs::directory_iterator(scratch.path() / "runs/sweep-load-and-cap.points")) {
    json point = json::parse(read_text(entry.path()));
    point["version"] = "0.0.1";
    scratch.write("runs/sweep-load-and-cap.points/" + entry.path().filename().string(), point.dump());
  }
  const Ended rerun = sweep_in(scratch, small_sweep(), joined(kShort, {"--set", "sweep.settings.boundary='gpu'"}));
  CHECK(rerun.code == 0);
  CHECK_THAT(rerun.err, !Contains("kept from before"));
}

TEST_CASE("a point that cannot run is reported with its coordinates and loses nothing") {
  const Scratch scratch;
  // The model's 32 heads do not go over 3 GPUs, and not over 5.
  const std::vector<std::string> words = joined(kShort, {"--set", "sweep.pool.chat.tensor_parallel_size=[1,3]", "--out", "some"});
  const Ended ended = sweep_in(scratch, small_sweep(), words);
  CAPTURE(ended.err, ended.out);
  CHECK(ended.code == 0);
  CHECK_THAT(ended.err, Contains("9 of 18 points cannot run"));
  CHECK_THAT(ended.out, Contains("9 of 18 points failed") && Contains("pool.chat.tensor_parallel_size = 3"));
  const json some = sweep_json(scratch.path() / "some");
  for (const json& point : some["point"]) {
    const bool fits = point["coordinates"]["pool.chat.tensor_parallel_size"] == 1;
    CHECK(point["values"].empty() != fits);
    CHECK(point.contains("failure") != fits);
    CHECK_FALSE((point["on_front"].get<bool>() && !fits));
  }
  const Ended none = sweep_in(scratch, small_sweep(), joined(kShort, {"--set", "sweep.pool.chat.tensor_parallel_size=[3,5]", "--out", "none"}));
  CHECK(none.code == 2);
  CHECK_FALSE(fs::exists(scratch.path() / "none"));
}

TEST_CASE("a required SLO that holds at no point exits with 3 and leaves no front") {
  const Scratch scratch;
  const Ended ended = sweep_in(scratch, small_sweep(), joined(kShort, {"--set", "traffic.chat.slo={ttft='1 ms',required=true}", "--out", "slo"}));
  CAPTURE(ended.err);
  CHECK(ended.code == 3);
  CHECK_THAT(ended.out, Contains("no point holds every stated SLO"));
  const json slo = sweep_json(scratch.path() / "slo");
  for (const json& point : slo["point"]) CHECK(point["on_front"] == false);
  CHECK(sweep_in(scratch, small_sweep(), joined(kShort, {"--set", "traffic.chat.slo={ttft='1 ms',required=true}", "--out", "slo"})).code == 3);
}

TEST_CASE("a disk that is full keeps nothing half and is named; with room again it goes on") {
  const Scratch scratch;
  // No file may grow above a kilobyte, as where a quota is used up; a point takes more.
  const std::string command = "trap '' XFSZ; ulimit -f 2; exec " + std::string(JOULECAST_PROGRAM) + " sweep " + small_sweep() +
                              " --set \"time.duration='8 s'\" --set \"time.warmup='1 s'\" --out full";
  const Ended ended = run_program({"sh", "-c", command}, {scratch.path().string(), {}, 0});
  CHECK(ended.code == 2);
  CHECK_THAT(ended.err, Contains("full.points: a finished point cannot be kept here"));
  CHECK_FALSE(fs::exists(scratch.path() / "full"));
  CHECK(fs::is_empty(scratch.path() / "full.points"));
  CHECK(sweep_in(scratch, small_sweep(), joined(kShort, {"--out", "full"})).code == 0);
}

TEST_CASE("what a sweep does not take is refused with its place before anything runs") {
  const Scratch scratch;
  const auto refused = [&](const std::vector<std::string>& more) {
    const Ended ended = sweep_in(scratch, small_sweep(), more);
    CHECK(ended.code == 2);
    return ended.err;
  };
  CHECK_THAT(refused({"--set", "pool.chat.replicas=4"}), Contains("sweep-load-and-cap.toml:") && Contains("--set of pool.chat.replicas conflicts"));
  CHECK_THAT(refused({"--set", "sweep.pool.chat.replikas=[1,2]"}), Contains("replikas") && Contains("replicas"));
  CHECK_THAT(refused({"--set", "sweep.pool.chatt.replicas=[1,2]"}), Contains("there is no [pool.chatt]") && Contains("did you mean pool.chat"));
  CHECK_THAT(refused({"--set", "sweep.pool.chat.gpu_power_limit=[]"}), Contains("has no values"));
  CHECK_THAT(refused({"--set", "sweep.settings.objectives=['traffic.chat.ttft.p99']"}), Contains("is no figure") && Contains("did you mean"));
  CHECK_THAT(refused({"--shard", "5/4"}), Contains("--shard"));
  CHECK_THAT(refused({"--shard", "1/4", "--merge", "x"}), Contains("give one of the two"));
  const std::string empty = scratch.write("empty.toml", read_text(source() / "scenarios/quickstart.toml") + "\n[sweep]\n");
  CHECK_THAT(sweep_in(scratch, empty, {}).err, Contains("the sweep has no key"));
  CHECK_THAT(sweep_in(scratch, (source() / "scenarios/quickstart.toml").string(), {}).err, Contains("the scenario has no [sweep]"));
  CHECK_THAT(run_joulecast({"check", small_sweep()}).err, Contains("Next: joulecast sweep"));
  CHECK(scratch.names() == std::vector<std::string>{"empty.toml"});
}
