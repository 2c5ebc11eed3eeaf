#include "scenario/length_facts.hpp"

#include <algorithm>

#include "scenario/scenario.hpp"
#include "traces/requests/length_histogram.hpp"
#include "traces/requests/open.hpp"

namespace joulecast::scenario {
namespace {

/// Adds up histograms, each with its share of the requests.
class Facts {
 public:
  void add(const traces::LengthHistogram& part, double share) {
    facts_.mean_input += share * part.mean_input();
    facts_.mean_output += share * part.mean_output();
    for (const traces::LengthHistogram::Cell& cell : part.cells()) {
      const control::TokenRange range{cell.input.least, cell.input.most, cell.output.least, cell.output.most};
      facts_.range = empty_ ? range : facts_.range.with(range);
      empty_ = false;
    }
  }
  const LengthFacts& facts() const { return facts_; }

 private:
  LengthFacts facts_;
  bool empty_ = true;
};

}  // namespace

LengthFacts length_facts(const Traffic& traffic) {
  Facts facts;
  if (traffic.trace) facts.add(traces::lengths_of_trace(*traffic.trace), 1);
  for (const LengthsPart& part : traffic.lengths) {
    facts.add(part.trace ? traces::lengths_of_trace(*part.trace) : traces::LengthHistogram::read(part.path), part.share);
  }
  return facts.facts();
}

}  // namespace joulecast::scenario
