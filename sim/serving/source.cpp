#include "serving/source.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/hash.hpp"
#include "serving/replica.hpp"

namespace joulecast::serving {
namespace {

constexpr int kMostRejected = 100'000;

}  // namespace

ContextLimit ContextLimit::of(const EngineConfig& engine) {
  return {std::min(engine.max_model_len, (engine.num_gpu_blocks - 1) * engine.block_size), engine.over_context};
}

traces::Request ContextLimit::truncated(traces::Request request) const {
  if (request.input > tokens - 1) {
    request.input = static_cast<std::int32_t>(tokens - 1);
    request.cached = 0;
    request.prefix = 0;
  }
  request.output = static_cast<std::int32_t>(std::min<std::int64_t>(request.output, tokens - request.input));
  return request;
}

void Source::connect(engine::Port port, engine::EntityId target, std::uint16_t message) {
  port_ = port;
  target_ = target;
  message_ = message;
}

void Source::start(engine::Context& context) {
  if (!setup_.closed) {
    pull(context);
  } else if (setup_.closed->end > Time{0}) {
    context.set_timer(0, Time{0});
  }
}

void Source::on(const engine::Event& event, engine::Context& context) {
  if (setup_.closed) {
    const std::int64_t count = event.timer != 0 ? setup_.closed->max_concurrency : 1;
    for (std::int64_t i = 0; i < count; ++i) bring_another(context);
    return;
  }
  while (coming_ && coming_->arrival == context.now()) {
    bring(*coming_, context);
    coming_ = setup_.stream->next();
  }
  if (coming_) {
    JOULECAST_CHECK(coming_->arrival > context.now(), "requests are not in the order of their arrival");
    context.set_timer(0, coming_->arrival);
  }
}

/// A closed loop's next request that is not rejected, if there is one.
void Source::bring_another(engine::Context& context) {
  if (context.now() >= setup_.closed->end) return;
  for (int rejected = 0; rejected < kMostRejected; ++rejected) {
    auto request = setup_.stream->next();
    if (!request) return;
    request->arrival = context.now();
    if (bring(*request, context)) return;
  }
  throw UserError({},
                  fmt::format("a closed loop in which {} requests in a row are over the context of {} tokens", kMostRejected, setup_.limit.tokens),
                  "choose shorter lengths, a larger max_model_len, or over_context = \"truncate\"");
}

void Source::pull(engine::Context& context) {
  coming_ = setup_.stream->next();
  if (coming_) context.set_timer(0, coming_->arrival);
}

bool Source::bring(traces::Request request, engine::Context& context) {
  const bool over = !setup_.limit.allows(request);
  const bool reject = over && (setup_.limit.over_context == OverContext::reject || setup_.limit.tokens < 2);
  if (over && !reject) request = setup_.limit.truncated(request);
  const std::uint32_t number = setup_.table.add(request);
  if (reject) {
    setup_.table[number].outcome.fate = Fate::rejected_over_context;
    ++rejected_;
    return false;
  }
  if (over) {
    setup_.table[number].outcome.truncated = true;
    ++truncated_;
  }
  context.send(port_, target_, message_, request_payload(setup_.traffic, number));
  return true;
}

std::uint64_t Source::fingerprint(Time) const {
  std::uint64_t hash = mix(0, setup_.table.size());
  hash = mix(hash, rejected_);
  return mix(hash, truncated_);
}

}  // namespace joulecast::serving
