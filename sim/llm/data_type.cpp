#include "llm/data_type.hpp"

#include <array>

namespace joulecast::llm {

namespace {

constexpr std::array<std::string_view, 5> kNames{"bf16", "fp16", "fp32", "fp8", "mxfp4"};

}  // namespace

std::string_view name(DataType type) { return kNames[static_cast<std::size_t>(type)]; }

std::optional<DataType> data_type(std::string_view name) {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == name) return static_cast<DataType>(i);
  }
  return std::nullopt;
}

}  // namespace joulecast::llm
