#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "engine/entity.hpp"
#include "serving/closed_loop.hpp"
#include "serving/engine_config.hpp"
#include "serving/requests.hpp"
#include "traces/requests/request.hpp"

namespace joulecast::serving {

/// What a request may at most be: input + output within the model's context and within the KV cache of one replica.
struct ContextLimit {
  std::int64_t tokens = 0;
  OverContext over_context = OverContext::reject;

  /// The smaller of max_model_len and the tokens of all usable KV blocks (one block is vLLM's null block).
  static ContextLimit of(const EngineConfig& engine);
  bool allows(const traces::Request& request) const { return static_cast<std::int64_t>(request.input) + request.output <= tokens; }
  /// A request cut to the limit: the input to at most all but one token, the output to what is left. A prompt that was cut shares nothing with
  /// others.
  traces::Request truncated(traces::Request request) const;
};

struct SourceSetup {
  std::unique_ptr<traces::RequestStream> stream;
  RequestTable& table;        ///< gets every request that arrives
  std::uint32_t traffic = 0;  ///< position of the table in the replicas' lists
  ContextLimit limit;
  std::optional<ClosedLoop> closed = {};  ///< then the stream's requests come when others complete, whatever arrival they state
};

/// Brings the requests of one traffic to its router (or, where there is nothing to choose, to a replica) when they arrive. A request over the
/// context is rejected (in the table, never sent) or truncated (in the table as it is served) as the limit says; in a closed loop a rejected one
/// makes room for the next at once. UserError: a closed loop whose requests are all rejected.
class Source final : public engine::Entity {
 public:
  enum Message : std::uint16_t { completed };

  explicit Source(SourceSetup setup) : setup_(std::move(setup)) { setup_.table.share(setup_.stream->prefixes()); }
  /// Where requests go, with no delay; before the run.
  void connect(engine::Port port, engine::EntityId target, std::uint16_t message);

  void start(engine::Context& context) override;
  void on(const engine::Event& event, engine::Context& context) override;
  std::uint64_t fingerprint(Time now) const override;

  std::uint64_t rejected() const { return rejected_; }
  std::uint64_t truncated() const { return truncated_; }

 private:
  void pull(engine::Context& context);
  void bring_another(engine::Context& context);
  /// False where it was rejected.
  bool bring(traces::Request request, engine::Context& context);

  SourceSetup setup_;
  engine::Port port_;
  engine::EntityId target_ = 0;
  std::uint16_t message_ = 0;
  std::optional<traces::Request> coming_;
  std::uint64_t rejected_ = 0;
  std::uint64_t truncated_ = 0;
};

}  // namespace joulecast::serving
