#include <catch2/catch.hpp>

#include "traces/requests/arrivals.hpp"
#include "traces/requests/options.hpp"
#include "unit/traces/support.hpp"

using namespace joulecast;
using namespace joulecast::traces;
using namespace joulecast::traces::test;

namespace {

template <class S>
S read_table(const config::Record<S>& record, const std::string& text) {
  const config::Node root = config::parse_text(text, "s.toml");
  config::Diagnostics diagnostics;
  S value = record.read(*root.as<config::Table>()->find("t"), diagnostics);
  diagnostics.throw_if_failed();
  return value;
}

UserFault trace_fault(const std::string& text) {
  return fault_of([&] { read_table(trace_record(), text); });
}

UserFault arrivals_fault(const std::string& text) {
  return fault_of([&] { read_table(arrivals_record(), text); });
}

}  // namespace

TEST_CASE("the table of a trace") {
  const TraceOptions azure =
      read_table(trace_record(), "t = { file = \"conv.csv\", format = \"azure\", repeat = true, limit = 5, zero_tokens = \"drop\" }\n");
  CHECK(azure.file == "conv.csv");
  CHECK(azure.repeat);
  CHECK(azure.rebase);
  CHECK(azure.limit == 5);
  CHECK(azure.zero_tokens == "drop");
  CHECK(azure.place.line == 1);
  const TraceOptions csv = read_table(trace_record(),
                                      "[t]\nfile = \"x.csv\"\nformat = \"csv\"\ntime_unit = \"ms\"\ncolumns = { arrival = \"a\", input = \"b\", "
                                      "output = \"c\" }\noffset = \"2 s\"\n");
  CHECK(csv.columns->output == "c");
  CHECK(csv.time_unit == "ms");
  CHECK(csv.offset.si() == 2);
}

TEST_CASE("faults of the table of a trace") {
  CHECK(trace_fault("t = { file = \"x\", format = \"ragpulse\" }\n").what == "trace format \"ragpulse\" is not supported");
  CHECK(trace_fault("t = { file = \"x\", format = \"azrue\" }\n").remedy.find("is \"azure\" meant?") == 0);
  CHECK(trace_fault("t = { file = \"x\", format = \"azure\", zero_tokens = \"dorp\" }\n").remedy == "is \"drop\" meant?");
  CHECK(trace_fault("t = { file = \"x\", format = \"csv\" }\n").what == "format \"csv\" without columns");
  CHECK(trace_fault("t = { file = \"x\", format = \"azure\", time_unit = \"s\" }\n").what.find("columns and time_unit belong to format \"csv\"") ==
        0);
  CHECK(trace_fault("t = { file = \"x\", format = \"azure\", limit = 0 }\n").place.line == 1);
  CHECK(trace_fault("t = { format = \"azure\" }\n").what.find("file") != std::string::npos);
  CHECK_THROWS_WITH(read_table(trace_record(), "t = { file = \"x\", formt = \"azure\" }\n"), Catch::Contains("formt") && Catch::Contains("lacks"));
}

TEST_CASE("the table of generated arrivals") {
  const Arrivals gamma = read_table(arrivals_record(), "t = { process = \"gamma\", request_rate = \"12 /s\", burstiness = 0.5 }\n");
  CHECK(gamma.process == Arrivals::Process::gamma);
  CHECK(gamma.request_rate.si() == 12);
  CHECK(gamma.burstiness == 0.5);
  CHECK(read_table(arrivals_record(), "t = { request_rate = \"60 /min\" }\n").process == Arrivals::Process::poisson);
  CHECK(arrivals_fault("t = { process = \"gamma\" }\n").what == "arrivals without request_rate");
  CHECK(arrivals_fault("t = { process = \"gama\", request_rate = \"1 /s\" }\n").remedy == "is \"gamma\" meant?");
  CHECK(arrivals_fault("t = { request_rate = \"1 /s\", burstiness = 0.5 }\n").what == "burstiness belongs to process \"gamma\"");
  CHECK(arrivals_fault("t = { request_rate = \"0 /s\" }\n").place.line == 1);
  CHECK_THROWS_WITH(read_table(arrivals_record(), "t = { request_rate = 5 }\n"), Catch::Contains("request_rate") && Catch::Contains("read 5"));
}

TEST_CASE("the table of a closed loop") {
  const Arrivals closed = read_table(arrivals_record(), "t = { process = \"closed\", max_concurrency = 64, think_time = \"2 s\" }\n");
  CHECK(closed.process == Arrivals::Process::closed);
  CHECK(closed.max_concurrency == 64);
  CHECK(closed.think_time.si() == 2);
  CHECK(arrivals_fault("t = { process = \"closed\" }\n").what == "process \"closed\" without max_concurrency");
  CHECK(arrivals_fault("t = { process = \"closed\", max_concurrency = 0 }\n").place.line == 1);
  CHECK(arrivals_fault("t = { process = \"closed\", max_concurrency = 4, request_rate = \"1 /s\" }\n").what == "a closed loop has no request_rate");
  CHECK(arrivals_fault("t = { request_rate = \"1 /s\", max_concurrency = 4 }\n").what ==
        "max_concurrency and think_time belong to process \"closed\"");
}
