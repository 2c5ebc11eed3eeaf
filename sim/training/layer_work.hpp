#pragma once

#include <cstdint>
#include <vector>

#include "llm/architecture.hpp"
#include "training/layout.hpp"

namespace joulecast::training {

/// C[m,n] = A[m,k] B[k,n] on one GPU, `times` over.
struct Matrix {
  double m = 0, n = 0, k = 0, times = 1;

  /// What the gradient of A = dC B^T and that of B = A^T dC take.
  Matrix input_gradient() const { return {m, k, n, times}; }
  Matrix weight_gradient() const { return {k, n, m, times}; }
  double flops() const { return 2 * m * n * k; }
  double bytes() const { return kValueBytes * (m * k + k * n + m * n); }
};

/// The scores of one attention on one GPU: `sequences` x `heads` products of `rows` queries with `columns` keys.
struct Scores {
  double sequences = 0, heads = 0, rows = 0, columns = 0, query_head = 0, value_head = 0;
  double seen = 1;         ///< share of the scores that the mask leaves
  double kv_elements = 0;  ///< keys and values of the rank's own share of the sequence
};

/// What one GPU does for one layer and one microbatch in a forward pass.
struct LayerWork {
  std::vector<Matrix> matrices;  ///< with the layer's weights
  std::vector<Matrix> adapters;  ///< of low-rank adapters
  std::vector<Scores> scores;
  double elementwise_bytes = 0;
  double inner_elements = 0;     ///< outputs of the feed-forward layer's activation
  double copied_elements = 0;    ///< of the residual stream, one copy an expert that a token goes to
  std::int64_t all_reduces = 0;  ///< over the tensor-parallel ranks, of `residual_bytes` each
  double residual_bytes = 0;     ///< the residual stream of the microbatch's tokens on this rank of context
  double all_to_all_bytes = 0;   ///< to the ranks of other experts and again back; 0 without
};

/// What a layer of a chunk is: layers with equal keys do equal work.
struct LayerKind {
  bool encoder = false;    ///< of the encoder beside a decoder
  std::int64_t index = 0;  ///< a layer of this kind: number in the encoder or in the model
  friend bool operator==(const LayerKind&, const LayerKind&) = default;
};
/// The kind of layer `at` in the order of the pipeline: the first one that does the same work.
LayerKind layer_kind(const llm::Architecture& model, std::int64_t at);

/// Work of a layer of this kind. Elementwise bytes are `22 m h` (norms, residuals, dropouts; over t with sequence parallelism) and 4 bytes of each
/// inner channel of the feed-forward layer (6 where it is gated), `16 m h/t` for ffn = 4 h; m = tokens on the rank. Experts get equal shares of the
/// tokens.
LayerWork layer_work(const llm::Architecture& model, const LayerKind& kind, const Layout& layout);

/// The unembedding and the loss on the last stage; the embedding on the first one.
LayerWork unembedding_work(const llm::Architecture& model, const Layout& layout);
LayerWork embedding_work(const llm::Architecture& model, const Layout& layout);

}  // namespace joulecast::training
