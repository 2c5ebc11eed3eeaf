// [traffic.NAME]: what is read, written out again, noted, and refused.
#include <catch2/catch.hpp>

#include "scenario/simulate.hpp"
#include "scenario/traffic_lengths.hpp"
#include "unit/scenario/text_file.hpp"

using namespace joulecast;
using namespace joulecast::scenario;
using Catch::Contains;

namespace {

/// kChat with other lines in place of its requests and request_rate.
std::string chat(const std::string& lines, const std::string& more = "") {
  const std::size_t from = kChat.find("requests ="), to = kChat.find("length_prediction");
  return kChat.substr(0, from) + lines + kChat.substr(to) + more;
}

std::string all_notes(const Scenario& scenario) {
  std::string text;
  for (const std::string& note : scenario.notes) text += note + "\n";
  return text;
}

class TraceFile {
 public:
  explicit TraceFile(const std::string& text)
      : path_((std::filesystem::temp_directory_path() / ("joulecast-traffic-" + std::to_string(getpid()) + ".txt")).string()) {
    std::ofstream(path_) << text;
  }
  ~TraceFile() { std::filesystem::remove(path_); }
  TraceFile(const TraceFile&) = delete;
  TraceFile& operator=(const TraceFile&) = delete;
  std::string table(const std::string& format) const { return "{ file = \"" + path_ + "\", format = \"" + format + "\" }"; }

 private:
  std::string path_;
};

const std::string kVidur = "arrived_at,num_prefill_tokens,num_decode_tokens\n0,100,5\n1,200,5\n2,300,5\n3.5,400,5\n";

void check_reads_back(const std::string& text) {
  const std::string resolved = resolved_toml(load_text(text));
  CHECK(resolved_toml(load_text(resolved)) == resolved);
}

const std::string kDaily = "rate = { daily = [1, 1, 1, 1, 1, 1, 2, 3, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 3, 3, 2, 2, 1, 1] }\n";

}  // namespace

TEST_CASE("every form of a traffic is written out and reads back equal") {
  const TraceFile trace(kVidur);
  check_reads_back(chat("requests = " + trace.table("vidur") + "\nrate = { scale = 2.5, by = \"superpose\" }\nprefix_hit_rate = \"30 %\"\n"));
  check_reads_back(chat("requests = " + trace.table("vidur") + "\nrate = { scale = 0.5, by = \"thin\" }\npriority = \"low\"\n"));
  check_reads_back(chat("lengths = " + trace.table("vidur") + "\nrequest_rate = \"2 /s\"\n"));
  check_reads_back(chat("lengths = { \"azure-2023-conv\" = 0.7, \"azure-2023-code\" = \"30 %\" }\nrequest_rate = \"2 /s\"\n"));
  check_reads_back(chat("lengths = \"azure-2023-code\"\narrivals = { process = \"closed\", max_concurrency = 64, think_time = \"2 s\" }\n"));
  check_reads_back(chat("lengths = \"azure-2023-code\"\nrequest_rate = \"2 /s\"\n" + kDaily, "[time]\nstart = 2026-03-02T00:00:00Z\n"));
}

TEST_CASE("lengths from a mix or a trace") {
  const TraceFile trace(kVidur);
  const auto rows = lengths_of(load_text(chat("lengths = " + trace.table("vidur") + "\nrequest_rate = \"2 /s\"\n")).traffics[0]);
  CHECK(rows.mean_input() == 250);
  const Scenario mixed = load_text(chat("lengths = { \"azure-2023-conv\" = 0.7, \"azure-2023-code\" = 0.3 }\nrequest_rate = \"2 /s\"\n"));
  const double conv = 22361870.0 / 19366, code = 18059974.0 / 8819;
  CHECK(lengths_of(mixed.traffics[0]).mean_input() == Approx(0.7 * conv + 0.3 * code));
  CHECK(mixed.inputs.size() >= 2);
  const std::string mix = "request_rate = \"2 /s\"\nlengths = ";
  CHECK_THAT(faults(chat(mix + "{ \"azure-2023-conv\" = 0.7, \"azure-2023-code\" = 0.2 }\n")), Contains("the shares of the mix add up to 0.9"));
  CHECK_THAT(faults(chat(mix + "{ \"azure-2023-conv\" = 0.7, \"azure-2023-cod\" = 0.3 }\n")), Contains("did you mean \"azure-2023-code\"?"));
  CHECK_THAT(faults(chat(mix + "{ \"azure-2023-conv\" = 1.2, \"azure-2023-code\" = -0.2 }\n")), Contains("azure-2023-conv"));
  CHECK_THAT(faults(chat(mix + "{}\n")), Contains("expected a histogram's name, a mix or a trace"));
  CHECK_THAT(faults(chat("requests = \"azure-2023-conv\"\n" + mix + "\"azure-2023-code\"\n")), Contains("both requests and lengths"));
}

TEST_CASE("a rate is for a trace or for generated arrivals, and says how") {
  const TraceFile trace(kVidur);
  const std::string replay = "requests = " + trace.table("vidur") + "\n";
  const Traffic scaled = load_text(chat(replay + "rate = { scale = 8.0, by = \"compress\" }\n")).traffics[0];
  CHECK(scaled.rate->scale == 8);
  CHECK(scaled.rate->by == traces::RateScale::By::compress);
  CHECK_THAT(faults(chat(replay + "rate = { scale = 8.0 }\n")), Contains("does not say how to reach it") && Contains("superpose"));
  CHECK_THAT(faults(chat(replay + "rate = { by = \"thin\" }\n")), Contains("has no scale"));
  CHECK_THAT(faults(chat(replay + "rate = { scale = 2, by = \"thin\" }\n")), Contains("is not thinning"));
  CHECK_THAT(faults(chat(replay + "rate = { scale = 2, by = \"superpos\" }\n")), Contains("is \"superpose\" meant?"));
  CHECK_THAT(faults(chat(replay + "rate = { scale = 0, by = \"thin\" }\n")), Contains("scale"));
  CHECK_THAT(faults(chat(replay + "rate = {}\n")), Contains("rate is empty"));
  CHECK_THAT(faults(chat(replay + kDaily)), Contains("a trace has a daily shape of its own"));
  const std::string generated = "requests = \"azure-2023-conv\"\nrequest_rate = \"2 /s\"\n";
  CHECK_THAT(faults(chat(generated + "rate = { scale = 2, by = \"compress\" }\n")), Contains("rate.scale is for a trace"));
  CHECK_THAT(faults(chat(generated + "rate = { daily = [1, 2] }\n")), Contains("daily has 2 factors"));
  CHECK_THAT(faults(chat(generated + "rate = { daily = [0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0] }\n")),
             Contains("all factors of daily are 0"));
  CHECK_THAT(faults(chat(generated + "rate = { daily = [-1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1] }\n")), Contains("daily"));
  CHECK_THAT(faults(chat(generated + kDaily)), Contains("the run has no start"));
  CHECK_THAT(faults(chat("lengths = \"azure-2023-conv\"\narrivals = { process = \"closed\", max_concurrency = 2 }\n" + kDaily,
                         "[time]\nstart = 2026-03-02T00:00:00Z\n")),
             Contains("a closed loop has no rate"));
}

TEST_CASE("a day shaped by its hours begins at the local hour of the run's start") {
  const Scenario scenario =
      load_text(chat("requests = \"azure-2023-conv\"\nrequest_rate = \"2 /s\"\n" + kDaily, "[time]\nstart = 2026-03-02T09:30:00+01:00\n"));
  CHECK(scenario.traffics[0].arrivals.daily->start_local_ns_of_day == 34'200'000'000'000);
}

TEST_CASE("a priority that no policy uses is kept, and noted as of no effect") {
  const Scenario low = load_text(kChat, {"traffic.chat.priority='low'"});
  CHECK(low.traffics[0].priority == control::Priority::low);
  CHECK_THAT(all_notes(low), Contains("priority has no effect"));
  CHECK_FALSE(load_text(kChat).traffics[0].priority);
  CHECK_THAT(faults(kChat, {"traffic.chat.priority='urgent'"}), Contains("neither \"high\" nor \"low\""));
}

TEST_CASE("a prefix hit rate is stated, 0 where nothing is said, and left aside where the trace says what is shared") {
  const TraceFile trace(kVidur);
  const auto run = [](const std::string& text) {
    RunOptions options;
    options.keep_requests = true;
    return simulate(load_text(text), options);
  };
  const auto notes = [](const Result& result) {
    std::string text;
    for (const std::string& note : result.traffics[0].notes) text += note + "\n";
    return text;
  };
  const auto cached = [](const Result& result) {
    std::int64_t tokens = 0;
    const auto& table = *result.requests[0].second;
    for (std::uint32_t i = 0; i < table.size(); ++i) tokens += table[i].facts.cached;
    return tokens;
  };
  const std::string replay = "requests = " + trace.table("vidur") + "\n";
  const Result none = run(chat(replay));
  CHECK(cached(none) == 0);
  CHECK_THAT(notes(none), Contains("prefix_hit_rate: 0 % of prompt tokens are taken as found in a prefix cache"));
  const Result some = run(chat(replay + "prefix_hit_rate = 0.3\n"));
  CHECK(cached(some) == 300);
  CHECK_THAT(notes(some), Contains("prefix_hit_rate: 30 %"));
  const TraceFile shared("{\"timestamp\": 0, \"input_length\": 600, \"output_length\": 2, \"hash_ids\": [1, 2]}\n");
  const Result structured = run(chat("requests = " + shared.table("mooncake") + "\nprefix_hit_rate = 0.3\n"));
  CHECK(cached(structured) == 0);
  CHECK_THAT(notes(structured), Contains("prefix_hit_rate is ignored") && Contains("1 different blocks of 512 tokens"));
}
