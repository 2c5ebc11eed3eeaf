#include "serving/cost/scaled_times.hpp"

#include <utility>

namespace joulecast::serving {

namespace {

constexpr std::size_t slot(Work work) { return static_cast<std::size_t>(work); }

class ScaledTimes final : public OperationTimes {
 public:
  ScaledTimes(std::unique_ptr<const OperationTimes> times, const ClassFactors& factors) : times_(std::move(times)), factors_(factors) {}

  std::vector<OperationTime> of_tokens(std::int64_t padded) const override { return scaled(times_->of_tokens(padded)); }
  std::vector<OperationTime> of_sequences(std::int64_t scheduled) const override { return scaled(times_->of_sequences(scheduled)); }
  std::vector<OperationTime> of_all_ranks(std::int64_t padded) const override { return scaled(times_->of_all_ranks(padded)); }

  double generation(int sequences, double context) const override { return attention() * times_->generation(sequences, context); }
  std::vector<double> knots(int sequences) const override { return times_->knots(sequences); }
  AttentionSeconds mixed(const JoinedChunks& joined, int sequences, const hardware::ContextSpread& contexts) const override {
    const AttentionSeconds seconds = times_->mixed(joined, sequences, contexts);
    return {attention() * seconds.generation, attention() * seconds.chunks};
  }
  double uneven_share(int sequences, const hardware::ContextSpread& contexts) const override { return times_->uneven_share(sequences, contexts); }
  bool knows_uneven() const override { return times_->knows_uneven(); }

  Provenance provenance(Work work) const override { return times_->provenance(work); }
  bool covers_tokens(std::int64_t of_a_rank, std::int64_t of_all) const override { return times_->covers_tokens(of_a_rank, of_all); }
  bool covers_decode(int sequences, double context) const override { return times_->covers_decode(sequences, context); }
  bool covers_chunk(const JoinedChunks& joined) const override { return times_->covers_chunk(joined); }

 private:
  double attention() const { return factors_.seconds[slot(Work::attention)]; }
  std::vector<OperationTime> scaled(std::vector<OperationTime> operations) const {
    for (OperationTime& each : operations) {
      each.timing.total *= factors_.seconds[slot(each.work)];
      each.timing.core *= factors_.seconds[slot(each.work)];
    }
    return operations;
  }

  std::unique_ptr<const OperationTimes> times_;
  ClassFactors factors_;
};

}  // namespace

std::unique_ptr<const OperationTimes> scaled_times(std::unique_ptr<const OperationTimes> times, const ClassFactors& factors) {
  if (factors.seconds == ClassFactors{}.seconds) return times;
  return std::make_unique<const ScaledTimes>(std::move(times), factors);
}

hardware::GpuProfile scaled_watts(hardware::GpuProfile gpu, const ClassFactors& factors) {
  const auto scale = [&](Work work, auto&... figures) { ((figures.value = factors.watts[slot(work)] * figures.value), ...); };
  hardware::ClassWatts& watts = gpu.watts;
  scale(Work::gemm, watts.gemm_base, watts.gemm_slope);
  scale(Work::attention, watts.attention);
  scale(Work::collective, watts.collective);
  scale(Work::elementwise, watts.elementwise);
  scale(Work::host, watts.host);
  return gpu;
}

}  // namespace joulecast::serving
