#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "program.hpp"

using namespace joulecast::test;

namespace {

struct Recording {
  std::vector<std::string> head, events;
  std::vector<std::vector<std::string>> rows;
  bool whole = true;  ///< ends with a newline, every row has all cells
};

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells(1);
  for (const char c : line) {
    if (c == ',')
      cells.emplace_back();
    else
      cells.back() += c;
  }
  return cells;
}

Recording read_recording(const std::string& path) {
  const std::string text = read_text(path);
  Recording recording;
  recording.whole = text.ends_with('\n');
  std::istringstream lines(text);
  std::string line;
  while (std::getline(lines, line)) {
    if (line.starts_with("# event")) {
      recording.events.push_back(line);
    } else if (line.starts_with("#")) {
      recording.head.push_back(line);
    } else if (!line.starts_with("time_unix_s")) {
      recording.rows.push_back(cells_of(line));
      recording.whole = recording.whole && recording.rows.back().size() == 14;
    }
  }
  return recording;
}

bool any_contains(const std::vector<std::string>& lines, const std::string& part) {
  return std::any_of(lines.begin(), lines.end(), [&](const std::string& line) { return line.find(part) != std::string::npos; });
}

/// A recording made with the library that plays, and what it is told to play.
struct Played {
  Scratch scratch;
  Ended ended;

  explicit Played(const std::string& script, std::vector<std::string> options = {"--duration", "400 ms"}, const char* library = JOULECAST_NVML) {
    std::vector<std::string> words = {"record", "--library", library, "--period", "10 ms", "--out", out()};
    words.insert(words.end(), options.begin(), options.end());
    ended = run_joulecast(words, {"", {{"JOULECAST_NVML_REPLAY", scratch.write("script", script)}}, 0});
  }
  std::string out() const { return (scratch.path() / "log.csv").string(); }
  Recording recording() const { return read_recording(out()); }
};

}  // namespace

TEST_CASE("eight GPUs at 10 ms: every poll is there, whole and in order") {
  const Played played("gpus 8\nsquare 100 600 0.2\n", {"--duration", "1 s", "--json"});
  REQUIRE(played.ended.code == 0);
  const auto summary = nlohmann::json::parse(played.ended.out);
  const Recording recording = played.recording();
  CHECK(recording.whole);
  CHECK(recording.rows.size() == summary["rows"].get<std::size_t>());
  // What was due is recorded or counted as late: 100 polls in a second.
  // (The last poll may still run when the second is over, so that more are late.)
  CHECK(summary["polls"].get<int>() + summary["late"].get<int>() >= 100);
  CHECK(summary["polls"].get<int>() <= 100);
  CHECK(summary["rows"].get<int>() == 8 * summary["polls"].get<int>());
  std::map<std::string, double> last;
  std::set<std::string> watts;
  for (const auto& row : recording.rows) {
    const double at = std::stod(row[0]);
    CHECK(at > last[row[1]]);
    last[row[1]] = at;
    if (row[1] == "3") watts.insert(row[4]);
  }
  CHECK(last.size() == 8);
  CHECK(watts == std::set<std::string>{"130.000", "630.000"});
  CHECK(any_contains(recording.head, "# format: joulecast-record 1"));
  CHECK(any_contains(recording.head, "# driver: 590.48.01"));
  CHECK(any_contains(recording.head, "# gpu.7.name: NVIDIA H100 80GB HBM3"));
  CHECK(any_contains(recording.head, "# gpu.0.power_instant: field 186"));
}

TEST_CASE("a recording can be played and recorded again") {
  const Played first("gpus 2\nsquare 100 600 0.2\n");
  REQUIRE(first.ended.code == 0);
  const Played again("gpus 2\nrecording " + first.out() + "\n");
  REQUIRE(again.ended.code == 0);
  std::set<std::string> played, recorded;
  for (const auto& row : first.recording().rows) played.insert(row[4]);
  for (const auto& row : again.recording().rows) recorded.insert(row[4]);
  CHECK(recorded == played);
}

TEST_CASE("the recording stands as HDF5 beside its CSV, unless it is not wanted or cannot be") {
  const Played played("gpus 2\n", {"--duration", "200 ms", "--json"});
  REQUIRE(played.ended.code == 0);
  CHECK(played.scratch.names() == std::vector<std::string>{"log.csv", "log.h5", "script"});
  CHECK(read_text(played.scratch.path() / "log.h5").starts_with("\x89HDF\r\n"));
  CHECK(nlohmann::json::parse(played.ended.out)["hdf5"] == (played.scratch.path() / "log.h5").string());

  const Played without("gpus 1\n", {"--duration", "100 ms", "--no-hdf5"});
  CHECK(without.ended.code == 0);
  CHECK(without.scratch.names() == std::vector<std::string>{"log.csv", "script"});

  const Scratch taken;
  taken.write("mine.h5", "mine");
  const Ended ended = run_joulecast({"record", "--library", JOULECAST_NVML, "--duration", "50 ms", "--out", (taken.path() / "mine.csv").string()});
  CHECK(ended.code == 0);
  CHECK(ended.err.find("mine.h5: a file is there already; the CSV is whole") != std::string::npos);
  CHECK(read_text(taken.path() / "mine.h5") == "mine");
}

TEST_CASE("a field that a GPU does not have is an empty cell, the others stay") {
  const Played played("gpus 2\nfault field:186 1 3\nfault temperature * 3\nfault utilization 0 3\n");
  REQUIRE(played.ended.code == 0);
  for (const auto& row : played.recording().rows) {
    CHECK(row[9].empty());
    CHECK(row[8].empty() == (row[1] == "0"));
    CHECK(row[4].empty() == (row[1] == "1"));
    CHECK_FALSE(row[3].empty());
  }
  CHECK_FALSE(any_contains(played.recording().head, "gpu.1.power_instant"));
}

TEST_CASE("one missing value while a GPU is polled is a missing cell and no zero") {
  const Played played("gpus 1\nfault field:186 0 3 0.1 0.2\n", {"--duration", "400 ms", "--json"});
  REQUIRE(played.ended.code == 0);
  std::size_t empty = 0;
  for (const auto& row : played.recording().rows) {
    empty += row[4].empty();
    CHECK(row[4] != "0.000");
  }
  CHECK(empty > 0);
  CHECK(nlohmann::json::parse(played.ended.out)["without_power"].get<std::size_t>() == empty);
}

TEST_CASE("a GPU without a power sensor is named and recorded without watts") {
  const Played played("gpus 1\nfault field:185 0 3\nfault field:186 0 3\nfault power_usage 0 3\n");
  REQUIRE(played.ended.code == 0);
  CHECK(played.ended.err.find("gpu 0 (NVIDIA H100 80GB HBM3) tells no power") != std::string::npos);
  for (const auto& row : played.recording().rows) CHECK((row[3].empty() && row[4].empty()));
}

TEST_CASE("a GPU that is lost is noted and the rest goes on") {
  const Played played("gpus 3\nfault fields 1 15 0.15\n", {"--duration", "400 ms", "--json"});
  REQUIRE(played.ended.code == 0);
  const Recording recording = played.recording();
  CHECK(recording.whole);
  REQUIRE(recording.events.size() == 1);
  CHECK(recording.events.front().find("gpu 1 lost: GPU is lost (15)") != std::string::npos);
  std::map<std::string, int> rows;
  for (const auto& row : recording.rows) ++rows[row[1]];
  CHECK(rows["1"] > 0);
  CHECK(rows["0"] > rows["1"]);
  CHECK(rows["0"] == rows["2"]);
  CHECK(played.ended.err.find("gpu 1: GPU is lost (15)") != std::string::npos);
  CHECK(nlohmann::json::parse(played.ended.out)["lost"].size() == 1);
}

TEST_CASE("when every GPU is lost the recording ends, whole") {
  const Played played("gpus 1\nfault clock 0 15 0.1\n", {"--duration", "60 s"});
  CHECK(played.ended.code == 2);
  CHECK(played.ended.err.find("every GPU was lost") != std::string::npos);
  CHECK(played.recording().whole);
}

TEST_CASE("a GPU that may not be opened is left out unless it was named") {
  const Played all("gpus 2\nfault handle 1 4\n");
  REQUIRE(all.ended.code == 0);
  CHECK(all.ended.err.find("gpu 1: Insufficient Permissions (4); it is not recorded") != std::string::npos);
  const Played named("gpus 2\nfault handle 1 4\n", {"--gpu", "1", "--duration", "100 ms"});
  CHECK(named.ended.code == 2);
  CHECK(named.ended.err.find("Insufficient Permissions (4)") != std::string::npos);
  const Played none("gpus 1\nfault handle * 4\n");
  CHECK(none.ended.code == 2);
  CHECK(none.scratch.names() == std::vector<std::string>{"script"});
}

TEST_CASE("GPUs are chosen by index, range and UUID") {
  const auto recorded = [](const std::string& chosen) {
    const Played played("gpus 8\n", {"--gpu", chosen, "--duration", "50 ms"});
    std::set<std::string> indices;
    if (played.ended.code == 0) {
      for (const auto& row : played.recording().rows) indices.insert(row[1]);
    }
    return indices;
  };
  CHECK(recorded("0-2,5") == std::set<std::string>{"0", "1", "2", "5"});
  CHECK(recorded("GPU-abc00006") == std::set<std::string>{"6"});
  for (const char* wrong : {"8", "3-1", "x", "GPU-ffff", "GPU-abc0"}) {
    const Played played("gpus 8\n", {"--gpu", wrong, "--duration", "50 ms"});
    CHECK(played.ended.code == 2);
    CHECK(played.ended.err.find("--gpu") != std::string::npos);
    CHECK(played.scratch.names() == std::vector<std::string>{"script"});
  }
}

TEST_CASE("before driver 535 power comes from the one call there is, and its kind by architecture") {
  const Played hopper("driver 525.60.13\n", {"--duration", "100 ms"}, JOULECAST_NVML_BEFORE_535);
  REQUIRE(hopper.ended.code == 0);
  // That library does not tell the architecture either.
  CHECK(any_contains(hopper.recording().head, "nvmlDeviceGetPowerUsage, average or instant is not known"));
  for (const auto& row : hopper.recording().rows) {
    CHECK(row[3] == "350.000");
    CHECK(row[4].empty());
    CHECK_FALSE(row[11].empty());
  }
  const Played a100("architecture 7\nname NVIDIA A100-SXM4-80GB\nfault field:185 * 3\nfault field:186 * 3\n", {"--duration", "100 ms"});
  REQUIRE(a100.ended.code == 0);
  CHECK(any_contains(a100.recording().head, "# gpu.0.power_instant: nvmlDeviceGetPowerUsage"));
}

TEST_CASE("without a library, with a wrong one, or one that does not start: what to do, and no file") {
  const Ended absent = run_joulecast({"record", "--library", "no-such-library.so"});
  CHECK(absent.code == 2);
  CHECK(absent.err.find("no NVML library can be loaded from here") != std::string::npos);
  const Ended other = run_joulecast({"record", "--library", "libm.so.6"});
  CHECK(other.code == 2);
  CHECK(other.err.find("it is no NVML") != std::string::npos);
  for (const auto& [code, remedy] :
       std::map<std::string, std::string>{{"9", "kernel module"}, {"18", "older than the kernel's module"}, {"999", "nvidia-smi"}}) {
    const Played played("fault init * " + code + "\n");
    CHECK(played.ended.code == 2);
    CHECK(played.ended.err.find(remedy) != std::string::npos);
    CHECK(played.scratch.names() == std::vector<std::string>{"script"});
  }
  const Played none("gpus 0\n");
  CHECK(none.ended.code == 2);
  CHECK(none.ended.err.find("NVML finds no GPU") != std::string::npos);
}

TEST_CASE("phases begin by pipe and by signal") {
  const Scratch scratch;
  const auto script = scratch.write("script", "gpus 1\n");
  const std::string record = std::string(JOULECAST_PROGRAM) + " record --library " JOULECAST_NVML " --period '10 ms' --duration '1500 ms'";
  const Ended piped = run_program(
      {"bash", "-c",
       record + " --fifo marks --out piped.csv & while [[ ! -s piped.csv ]]; do sleep 0.02; done; sleep 0.2; echo prefill > marks; sleep 0.3; "
                "echo 'no,name' > marks; echo decode > marks; wait"},
      {scratch.path().string(), {{"JOULECAST_NVML_REPLAY", script}}, 0});
  CHECK(piped.code == 0);
  std::vector<std::string> phases;
  for (const auto& row : read_recording((scratch.path() / "piped.csv").string()).rows) {
    if (phases.empty() || phases.back() != row[13]) phases.push_back(row[13]);
  }
  CHECK(phases == std::vector<std::string>{"", "prefill", "decode"});
  CHECK(piped.err.find("is no name for a phase") != std::string::npos);
  CHECK(scratch.names() == std::vector<std::string>{"piped.csv", "piped.h5", "script"});

  const Ended signalled =
      run_program({"bash", "-c",
                   record + " --mark warm-up --mark load --out signalled.csv & p=$!; while [[ ! -s signalled.csv ]]; do sleep 0.02; done; "
                            "for i in 1 2 3; do sleep 0.2; kill -USR1 $p; done; wait"},
                  {scratch.path().string(), {{"JOULECAST_NVML_REPLAY", script}}, 0});
  CHECK(signalled.code == 0);
  phases.clear();
  for (const auto& row : read_recording((scratch.path() / "signalled.csv").string()).rows) {
    if (phases.empty() || phases.back() != row[13]) phases.push_back(row[13]);
  }
  CHECK(phases == std::vector<std::string>{"", "warm-up", "load", "phase-3"});
}

TEST_CASE("a signal that comes while the library is still being loaded does not end the recorder") {
  const Scratch scratch;
  // A pipe in the library's place: the recorder waits in it, and then says that it is no library.
  const Ended early = run_program({"bash", "-c",
                                   std::string("mkfifo slow.so; ") + JOULECAST_PROGRAM +
                                       " record --library ./slow.so --duration '50 ms' & p=$!; exec 3> slow.so; kill -USR1 $p; exec 3>&-; wait $p"},
                                  {scratch.path().string(), {}, 0});
  CHECK(early.code == 2);
  CHECK(early.err.find("no NVML library") != std::string::npos);
}

TEST_CASE("a plan's script marks step times, and however it ends the board is as it was and the load has ended") {
  const Scratch scratch;
  std::filesystem::create_directory(scratch.path() / "bin");
  const auto tool = [&](const std::string& name, const std::string& text) {
    std::filesystem::permissions(scratch.write("bin/" + name, "#!/bin/bash\n" + text), std::filesystem::perms::owner_all);
  };
  tool("sleep", "exec /bin/sleep 0.1\n");
  tool("nvidia-smi", "echo \"$*\" >> smi.txt\n[[ -z ${FAIL:-} || $* != *\"$FAIL\"* ]]\n");
  tool("curl", "echo 'vllm:num_requests_running{engine=\"0\"} 4'\n");
  tool("load", "echo $$ > load.pid; exec /bin/sleep 100\n");
  tool("joulecast", std::string("[[ $1 == record ]] || exit 0\n[[ -z ${BROKEN:-} ]] || exit 2\nexec ") + JOULECAST_PROGRAM +
                        " record --library " JOULECAST_NVML " \"${@:2}\"\n");
  const auto run = [&](const std::string& plan, const std::string& settings) {
    scratch.write("plan.sh", run_joulecast({"record", "--plan", plan, "--base", "A100 SXM 80"}).out);
    for (const char* old : {"measured.csv", "measured.h5", "smi.txt", "load.pid"}) std::filesystem::remove(scratch.path() / old);
    return run_program({"bash", "-c", "export PATH=$PWD/bin:$PATH LOAD=load; " + settings + " timeout 60 bash plan.sh"},
                       {scratch.path().string(), {}, 0});
  };
  const auto load_runs = [&] { return run_program({"bash", "-c", "kill -0 $(cat load.pid)"}, {scratch.path().string(), {}, 0}).code == 0; };
  const auto last_setting = [&] {
    const std::string all = read_text(scratch.path() / "smi.txt");
    return all.substr(all.rfind('\n', all.size() - 2) + 1);
  };
  const Ended whole = run("cap-sweep", "STEP='echo 0.02'");
  CAPTURE(whole.err);
  CHECK(whole.code == 0);
  CHECK(read_text(scratch.path() / "measured.csv").find("cap=400 step_s=0.02\n") != std::string::npos);
  CHECK(last_setting() == "-i 0 -pl 400\n");
  CHECK_FALSE(load_runs());

  CHECK(run("clock-sweep", "STEP='echo 0.02' FAIL=-lgc").code != 0);
  CHECK(last_setting() == "-i 0 -rgc\n");
  CHECK_FALSE(load_runs());

  const Ended broken = run("idle", "BROKEN=1");
  CHECK(broken.code == 1);
  CHECK(broken.err.find("the recorder has ended") != std::string::npos);

  CHECK(run("cap-sweep", "").err.find("set STEP") != std::string::npos);

  CHECK(run("batch-sweep", "").code == 0);
  CHECK_FALSE(load_runs());
  const Ended scraped = run_joulecast({"calibrate", "inspect", (scratch.path() / "metrics.txt").string()});
  CHECK(scraped.out.find("vllm-metrics") != std::string::npos);
}

TEST_CASE("kill -9 and Ctrl-C leave whole rows") {
  const Scratch scratch;
  const std::string script = scratch.write("script", "gpus 8\n");
  const Start start{scratch.path().string(), {{"JOULECAST_NVML_REPLAY", script}}, 0};
  run_program({"timeout", "-s", "KILL", "1", JOULECAST_PROGRAM, "record", "--library", JOULECAST_NVML, "--period", "10 ms", "--out", "killed.csv"},
              start);
  const Recording killed = read_recording((scratch.path() / "killed.csv").string());
  CHECK(killed.whole);
  CHECK_FALSE(killed.rows.empty());
  Start interrupted = start;
  interrupted.interrupt_after_ms = 500;
  const Ended ended = run_joulecast({"record", "--library", JOULECAST_NVML, "--period", "10 ms", "--out", "ended.csv"}, interrupted);
  CHECK(ended.code == 0);
  CHECK(ended.out.find("next: joulecast calibrate inspect ended.csv") != std::string::npos);
  CHECK(read_recording((scratch.path() / "ended.csv").string()).whole);
}

TEST_CASE("a recording never writes over a file, and says so when the disk is full") {
  const Scratch scratch;
  const std::string mine = scratch.write("mine.csv", "mine\n");
  const Ended there = run_joulecast({"record", "--library", JOULECAST_NVML, "--duration", "50 ms", "--out", mine});
  CHECK(there.code == 2);
  CHECK(there.err.find("a file is there already") != std::string::npos);
  CHECK(read_text(mine) == "mine\n");
  // A limit on the file's size stands in for a full disk: 8 KiB.
  const Ended full = run_program({"bash", "-c",
                                  std::string("trap '' XFSZ; ulimit -f 8; exec ") + JOULECAST_PROGRAM +
                                      " record --library " JOULECAST_NVML " --period '10 ms' --duration '60 s' --out full.csv"},
                                 {scratch.path().string(), {}, 0});
  CHECK(full.code == 2);
  CHECK(full.err.find("cannot be written on") != std::string::npos);
  CHECK(read_recording((scratch.path() / "full.csv").string()).whole);
}

TEST_CASE("plans and the line for nvidia-smi are printed without any GPU") {
  for (const char* plan : {"idle", "clock-sweep", "cap-sweep", "batch-sweep"}) {
    const Ended printed = run_joulecast({"record", "--plan", plan, "--base", "A100 SXM 80"});
    REQUIRE(printed.code == 0);
    const Scratch scratch;
    const Ended checked = run_program({"bash", "-n", scratch.write("plan.sh", printed.out)});
    CHECK(checked.err.empty());
    CHECK(checked.code == 0);
  }
  const Ended sweep = run_joulecast({"record", "--plan", "clock-sweep", "--base", "A100 SXM 80"});
  CHECK(sweep.out.find("for clock in 1410 ") != std::string::npos);
  CHECK(sweep.out.find("--base \"A100 SXM 80\"") != std::string::npos);
  CHECK(run_joulecast({"record", "--plan", "clock-sweeps"}).err.find("did you mean clock-sweep?") != std::string::npos);
  const Ended line = run_joulecast({"record", "--print-nvidia-smi", "--period", "100 ms"});
  CHECK(line.out.find("--format=csv -lms 100") != std::string::npos);
}

TEST_CASE("faulty options of a recording") {
  const auto says = [](std::vector<std::string> options, const std::string& what) {
    options.insert(options.begin(), {"record", "--library", JOULECAST_NVML});
    const Ended ended = run_joulecast(options);
    CHECK(ended.code == 2);
    CHECK(ended.err.find(what) != std::string::npos);
  };
  says({"--period", "5 ms"}, "is not from 10 ms to 60 s");
  says({"--period", "50"}, "50");
  says({"--duration", "0 s"}, "is no span above 0");
  says({"--mark", "a,b"}, "cannot stand in a cell");
  says({"--fifo", "/dev/null"}, "something that is no pipe has this name");
}
