#include "report/html/results_reader.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string_view>

#include "base/error.hpp"

namespace joulecast::report {

namespace {

using hdf5::checked;
using hdf5::Failed;
using hdf5::Handle;

hid_t opened(const std::filesystem::path& path) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  if (file < 0) {
    throw UserError(Place{path.string()}, "cannot be read as HDF5: the results of a run are damaged or not whole",
                    "make them again: joulecast run ... --force");
  }
  return file;
}

std::string base64(const std::vector<std::uint8_t>& bytes) {
  static constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t three = 0;
    for (std::size_t b = 0; b < 3; ++b) three = three << 8U | (i + b < bytes.size() ? bytes[i + b] : 0U);
    for (std::size_t d = 0; d < 4; ++d) out += i + d > bytes.size() ? '=' : kDigits[three >> (18 - 6 * d) & 63U];
  }
  return out;
}

}  // namespace

ResultsReader::ResultsReader(const std::filesystem::path& path) : file_(opened(path), H5Fclose, "H5Fopen") {}

bool ResultsReader::there(const std::string& path) const {
  for (std::size_t at = path.find('/', 1);; at = path.find('/', at + 1)) {
    if (H5Lexists(file_, path.substr(0, at).c_str(), H5P_DEFAULT) <= 0) return false;
    if (at == std::string::npos) return true;
  }
}

std::vector<double> ResultsReader::values(const std::string& path) const {
  if (!there(path)) return {};
  const Handle set(H5Dopen2(file_, path.c_str(), H5P_DEFAULT), H5Dclose, "H5Dopen2");
  const Handle space(H5Dget_space(set), H5Sclose, "H5Dget_space");
  const hssize_t count = H5Sget_simple_extent_npoints(space);
  std::vector<double> values(count > 0 ? static_cast<std::size_t>(count) : 0);
  if (!values.empty() && H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0) return {};
  return values;
}

std::optional<double> ResultsReader::number(const std::string& path, const char* attribute) const {
  if (path != "/" && !there(path)) return std::nullopt;
  if (H5Aexists_by_name(file_, path.c_str(), attribute, H5P_DEFAULT) <= 0) return std::nullopt;
  const Handle open(H5Aopen_by_name(file_, path.c_str(), attribute, H5P_DEFAULT, H5P_DEFAULT), H5Aclose, "H5Aopen");
  double value = 0;
  if (H5Aread(open, H5T_NATIVE_DOUBLE, &value) < 0) return std::nullopt;
  return value;
}

std::string ResultsReader::text(const std::string& path, const char* attribute) const {
  if (!there(path) || H5Aexists_by_name(file_, path.c_str(), attribute, H5P_DEFAULT) <= 0) return {};
  const Handle open(H5Aopen_by_name(file_, path.c_str(), attribute, H5P_DEFAULT, H5P_DEFAULT), H5Aclose, "H5Aopen");
  const Handle type(H5Aget_type(open), H5Tclose, "H5Aget_type");
  std::string text(H5Tget_size(type), '\0');
  checked(H5Aread(open, type, text.data()), "H5Aread");
  return text.substr(0, text.find('\0'));
}

std::vector<std::string> ResultsReader::names(const std::string& group) const {
  std::vector<std::string> all;
  if (!there(group)) return all;
  const Handle open(H5Gopen2(file_, group.c_str(), H5P_DEFAULT), H5Gclose, "H5Gopen2");
  const H5L_iterate_t add = [](hid_t, const char* name, const H5L_info_t*, void* to) -> herr_t {
    static_cast<std::vector<std::string>*>(to)->emplace_back(name);
    return 0;
  };
  checked(H5Literate(open, H5_INDEX_NAME, H5_ITER_INC, nullptr, add, &all), "H5Literate");
  return all;
}

nlohmann::ordered_json packed(const std::vector<double>& values, std::size_t group) {
  if (values.empty()) return nullptr;
  std::vector<std::uint8_t> bytes;
  for (std::size_t at = 0; at < values.size(); at += group) {
    const std::size_t count = std::min(group, values.size() - at);
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) sum += values[at + i];
    const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(sum / static_cast<double>(count)));
    for (unsigned shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<std::uint8_t>(bits >> shift));
  }
  return {{"f32", base64(bytes)}};
}

}  // namespace joulecast::report
