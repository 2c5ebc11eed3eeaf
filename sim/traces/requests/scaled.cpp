#include "traces/requests/scaled.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.hpp"
#include "base/fixed.hpp"

namespace joulecast::traces {
namespace {

/// A stream over another, whose prefixes it keeps.
class Over : public RequestStream {
 public:
  explicit Over(std::unique_ptr<RequestStream> under) : under_(std::move(under)) {}
  const PrefixTree* prefixes() const override { return under_->prefixes(); }

 protected:
  std::optional<Request> under() { return under_->next(); }

 private:
  std::unique_ptr<RequestStream> under_;
};

class Compressed final : public Over {
 public:
  Compressed(std::unique_ptr<RequestStream> requests, double scale) : Over(std::move(requests)), scale_(std::llround(scale * 0x1p32)) {
    JOULECAST_CHECK(scale_ > 0, "a trace is compressed by more than 0");
  }
  std::optional<Request> next() override {
    auto request = under();
    if (!request) return request;
    if (!first_) first_ = request->arrival;
    const int128 since = (int128{(request->arrival - *first_).ns} << 32) / scale_;
    if (since > kForever.ns - first_->ns - 1) return std::nullopt;
    request->arrival = *first_ + Span{static_cast<std::int64_t>(since)};
    return request;
  }

 private:
  std::int64_t scale_;
  std::optional<Time> first_;
};

class Thinned final : public Over {
 public:
  Thinned(std::unique_ptr<RequestStream> requests, double share, Stream random) : Over(std::move(requests)), share_(share), random_(random) {}
  std::optional<Request> next() override {
    for (;;) {
      auto request = under();
      if (!request || random_.uniform() < share_) return request;
    }
  }

 private:
  double share_;
  Stream random_;
};

class WithCached final : public Over {
 public:
  WithCached(std::unique_ptr<RequestStream> requests, double share) : Over(std::move(requests)), share_(share) {}
  std::optional<Request> next() override {
    auto request = under();
    if (request) request->cached = static_cast<std::int32_t>(std::min<std::int64_t>(std::llround(share_ * request->input), request->input - 1));
    return request;
  }

 private:
  double share_;
};

class Until final : public Over {
 public:
  Until(std::unique_ptr<RequestStream> requests, Time end) : Over(std::move(requests)), end_(end) {}
  std::optional<Request> next() override {
    auto request = under();
    if (request && request->arrival >= end_) request.reset();
    return request;
  }

 private:
  Time end_;
};

}  // namespace

std::unique_ptr<RequestStream> compressed(std::unique_ptr<RequestStream> requests, double scale) {
  return std::make_unique<Compressed>(std::move(requests), scale);
}

std::unique_ptr<RequestStream> thinned(std::unique_ptr<RequestStream> requests, double share, Stream random) {
  return std::make_unique<Thinned>(std::move(requests), share, std::move(random));
}

std::unique_ptr<RequestStream> with_cached(std::unique_ptr<RequestStream> requests, double share) {
  return std::make_unique<WithCached>(std::move(requests), share);
}

std::unique_ptr<RequestStream> until(std::unique_ptr<RequestStream> requests, Time end) { return std::make_unique<Until>(std::move(requests), end); }

}  // namespace joulecast::traces
