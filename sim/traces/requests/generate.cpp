#include "traces/requests/generate.hpp"

#include <limits>
#include <utility>

namespace joulecast::traces {
namespace {

class GeneratedStream final : public RequestStream {
 public:
  GeneratedStream(const Arrivals& arrivals, LengthMix lengths, std::uint64_t count, std::uint64_t seed, std::string_view name)
      : lengths_(std::move(lengths)), stream_(seed, name, "lengths"), left_(count) {
    if (arrivals.process != Arrivals::Process::closed) times_.emplace(arrivals, seed, name);
  }

  std::optional<Request> next() override {
    if (left_ == 0) return std::nullopt;
    const Time arrival = times_ ? times_->next() : Time{0};
    if (arrival == kForever) return std::nullopt;
    --left_;
    const auto [input, output] = lengths_.draw(stream_);
    return Request{arrival, input, output};
  }

 private:
  std::optional<ArrivalTimes> times_;  ///< none in a closed loop
  LengthMix lengths_;
  Stream stream_;
  std::uint64_t left_;
};

}  // namespace

std::unique_ptr<RequestStream> generate(const Arrivals& arrivals, LengthMix lengths, std::optional<std::uint64_t> count, std::uint64_t seed,
                                        std::string_view name) {
  return std::make_unique<GeneratedStream>(arrivals, std::move(lengths), count.value_or(std::numeric_limits<std::uint64_t>::max()), seed, name);
}

}  // namespace joulecast::traces
