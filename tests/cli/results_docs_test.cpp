// Files of results in the tools that people read them with, and the example of docs/results.md.
#include <algorithm>
#include <catch2/catch.hpp>

#include "cli/program.hpp"

using namespace joulecast::test;
using Catch::Contains;

namespace {

constexpr const char* kPython = "/usr/bin/python3";

bool has_readers() {
  if (run_program({kPython, "-c", "import h5py, pandas, xarray, h5netcdf"}).code == 0) return true;
  WARN("python3-h5py, -pandas, -xarray or -h5netcdf is not there: files are not read in them");
  return false;
}

Ended python(const Scratch& scratch, const std::string& text, std::vector<std::string> arguments = {}) {
  const std::string file = scratch.write("script.py", text);
  arguments.insert(arguments.begin(), {kPython, file});
  return run_program(arguments, {scratch.path().string(), {}, 0});
}

void make_results(const Scratch& scratch) {
  const Start here{scratch.path().string(), {}, 0};
  const auto scenario = [](const std::string& name) { return (source() / "scenarios" / name).string(); };
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"run", scenario("quickstart.toml"), "--set", "time.duration=\"5 min\"", "--uncertainty", "3", "--requests", "--out", "run"},
           {"run", scenario("training-straggler.toml"), "--timeline", "--out", "job"},
           {"compare", scenario("compare-routers.toml"), "--set", "compare.replications=2", "--out", "compare"}}) {
    const Ended ended = run_joulecast(words, here);
    CAPTURE(words, ended.err);
    REQUIRE(ended.code == 0);
  }
}

}  // namespace

TEST_CASE("the Python example of docs/results.md runs, and its series sum to the summary's joules") {
  if (!has_readers()) return;
  const Scratch scratch;
  make_results(scratch);
  const std::string text = read_text(source() / "docs/results.md");
  const std::size_t begin = text.find("```python\n") + 10, end = text.find("```", begin);
  const std::string example = text.substr(begin, end - begin);
  CHECK(std::count(example.begin(), example.end(), '\n') <= 22);
  const Ended ended = python(scratch, example, {"run"});
  CAPTURE(ended.out, ended.err);
  CHECK(ended.code == 0);
  CHECK_THAT(ended.out, Contains("('bin_start',) W") && Contains("chat {"));
  const std::size_t sums = ended.out.find(" J from the series, ");
  REQUIRE(sums != std::string::npos);
  const std::size_t line = ended.out.rfind('\n', sums) + 1;
  const std::string series = ended.out.substr(line, sums - line);
  CHECK_THAT(ended.out, Contains(series + " J from the series, " + series + " J in the summary"));
}

TEST_CASE("every data set of results.h5 opens in h5py and xarray with named dimensions and a unit") {
  if (!has_readers()) return;
  const Scratch scratch;
  make_results(scratch);
  const Ended ended = python(scratch, R"PY(
import h5py, xarray
seen = 0
for folder in ("run", "job", "compare"):
    name = folder + "/results.h5"
    groups = [None]
    with h5py.File(name) as file:
        def look(path, item):
            global seen
            if isinstance(item, h5py.Group):
                groups.append(path)
                return
            seen += 1
            assert "units" in item.attrs, (name, path)
            assert item.ndim > 0 and (item.attrs.get("CLASS") == b"DIMENSION_SCALE" or all(len(d.keys()) == 1 for d in item.dims)), (name, path)
        file.visititems(look)
    for group in groups:
        with xarray.open_dataset(name, engine="h5netcdf", group=group) as data:
            for key, values in data.data_vars.items():
                assert all(not d.startswith("phony") for d in values.dims), (name, group, key, values.dims)
                assert values.size > 0 and values.attrs["units"], (name, group, key)
print(seen)
)PY");
  CAPTURE(ended.err);
  CHECK(ended.code == 0);
  CHECK(std::stoi("0" + ended.out) > 40);
}

TEST_CASE("every CSV of results is RFC 4180 in UTF-8, and pandas reads numbers as numbers") {
  if (!has_readers()) return;
  const Scratch scratch;
  make_results(scratch);
  const Ended ended = python(scratch, R"PY(
import csv, io, pandas
for name in ("run/summary.csv", "run/requests.csv", "job/summary.csv", "run/uncertainty.csv", "compare/compare.csv"):
    raw = open(name, "rb").read()
    text = raw.decode("utf-8", errors="strict")
    assert not text.startswith("\ufeff") and text.endswith("\n") and "\0" not in text, name
    rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    assert len(rows) > 1 and len({len(row) for row in rows}) == 1, name
    assert len(set(rows[0])) == len(rows[0]) and all(rows[0]), name
    frame = pandas.read_csv(name)
    assert len(frame) == len(rows) - 1
requests = pandas.read_csv("run/requests.csv")
assert requests.ttft_s.dtype == float and requests.input_tokens.dtype == "int64" and (requests.fate == "completed").sum() > 100
compared = pandas.read_csv("compare/compare.csv").set_index(["arm", "figure"])
assert compared.value.dtype == float
)PY");
  CAPTURE(ended.err);
  CHECK(ended.code == 0);
}

TEST_CASE("timeline.json keeps the rules of the trace event format") {
  if (!has_readers()) return;
  const Scratch scratch;
  make_results(scratch);
  const Ended ended = python(scratch, R"PY(
import json, math
trace = json.load(open("job/timeline.json"))
assert trace["displayTimeUnit"] in ("ms", "ns")
fields = {"X": {"name", "pid", "tid", "ts", "dur"}, "C": {"name", "pid", "ts", "args"}, "M": {"name", "pid", "args"}}
kinds, named, lanes = {}, set(), {}
number = lambda x: isinstance(x, (int, float)) and not isinstance(x, bool) and math.isfinite(x)
for event in trace["traceEvents"]:
    kind = event["ph"]
    kinds[kind] = kinds.get(kind, 0) + 1
    assert fields[kind] <= set(event), event
    assert isinstance(event["name"], str) and event["name"] and isinstance(event["pid"], int)
    if kind == "M":
        assert event["name"] in ("process_name", "thread_name") and isinstance(event["args"]["name"], str), event
        named.add((event["pid"], event.get("tid")))
        assert (event["name"] == "thread_name") == ("tid" in event), event
        continue
    assert number(event["ts"]) and event["ts"] >= 0, event
    if kind == "C":
        assert event["args"] and all(number(value) and value >= 0 for value in event["args"].values()), event
    else:
        assert number(event["dur"]) and event["dur"] >= 0, event
        lanes.setdefault((event["pid"], event["tid"]), []).append((round(event["ts"] * 1e3), round((event["ts"] + event["dur"]) * 1e3)))
assert set(kinds) == {"X", "C", "M"} and lanes
for lane, slices in lanes.items():
    assert lane in named and (lane[0], None) in named, lane
    open_until = []
    for begin, end in sorted(slices, key=lambda s: (s[0], -s[1])):
        while open_until and open_until[-1] <= begin:
            open_until.pop()
        assert not open_until or end <= open_until[-1], (lane, begin, end)
        open_until.append(end)
print(kinds)
)PY");
  CAPTURE(ended.out, ended.err);
  CHECK(ended.code == 0);
}
