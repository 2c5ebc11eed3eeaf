#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace joulecast::llm {

/// How a value is stored.
enum class DataType : std::uint8_t { bf16, fp16, fp32, fp8, mxfp4 };

/// "bf16", "fp16", ..: as profiles write it.
std::string_view name(DataType type);
std::optional<DataType> data_type(std::string_view name);

/// Bytes of one value. mxfp4 holds 32 values of 4 bits with one scale of 8 bits (OCP Microscaling Formats 1.0, section 5.2): 4.25 bits a value. The
/// scale that fp8 checkpoints keep for each 128 x 128 block (0.02 %) is left out.
constexpr double bytes(DataType type) {
  switch (type) {
    case DataType::fp32:
      return 4;
    case DataType::fp8:
      return 1;
    case DataType::mxfp4:
      return 4.25 / 8;
    case DataType::bf16:
    case DataType::fp16:
      break;
  }
  return 2;
}

}  // namespace joulecast::llm
