#include <unistd.h>

#include <catch2/catch.hpp>
#include <string>
#include <vector>
#if __has_include(<hdf5.h>)
#include <hdf5.h>
#else
#include <hdf5/serial/hdf5.h>
#endif

#include "base/error.hpp"
#include "report/results_h5.hpp"
#include "unit/report/sample.hpp"

using namespace joulecast;
using namespace joulecast::report;

namespace {

template <class T>
std::vector<T> values(hid_t file, const char* path, hid_t type) {
  const hid_t set = H5Dopen2(file, path, H5P_DEFAULT);
  REQUIRE(set >= 0);
  const hid_t space = H5Dget_space(set);
  std::vector<T> read(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
  CHECK(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, read.data()) >= 0);
  H5Sclose(space);
  H5Dclose(set);
  return read;
}

std::string text_attribute(hid_t file, const char* object, const char* name) {
  const hid_t attribute = H5Aopen_by_name(file, object, name, H5P_DEFAULT, H5P_DEFAULT);
  REQUIRE(attribute >= 0);
  const hid_t type = H5Aget_type(attribute);
  std::string value(H5Tget_size(type), '\0');
  CHECK(H5Aread(attribute, type, value.data()) >= 0);
  H5Tclose(type);
  H5Aclose(attribute);
  return value.c_str();
}

/// The path of the dimension scale that a series names.
std::string scale_of(hid_t file, const char* path) {
  const hid_t attribute = H5Aopen_by_name(file, path, "DIMENSION_LIST", H5P_DEFAULT, H5P_DEFAULT);
  REQUIRE(attribute >= 0);
  const hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
  hvl_t list{};
  REQUIRE(H5Aread(attribute, type, &list) >= 0);
  REQUIRE(list.len == 1);
  const hid_t scale = H5Rdereference2(attribute, H5P_DEFAULT, H5R_OBJECT, list.p);
  std::string name(64, '\0');
  name.resize(static_cast<std::size_t>(H5Iget_name(scale, name.data(), name.size())));
  H5Dvlen_reclaim(type, space, H5P_DEFAULT, &list);
  H5Oclose(scale);
  H5Sclose(space);
  H5Tclose(type);
  H5Aclose(attribute);
  return name;
}

}  // namespace

TEST_CASE("results.h5 reads back") {
  const test::Scratch scratch;
  const scenario::Result result = test::sample();
  write_results_h5(result, scratch / "results.h5");
  const hid_t file = H5Fopen((scratch / "results.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  REQUIRE(file >= 0);
  CHECK(values<float>(file, "/power/gpu", H5T_NATIVE_FLOAT) == result.energy.watts[0]);
  CHECK(values<float>(file, "/power/facility", H5T_NATIVE_FLOAT) == result.energy.watts[3]);
  CHECK(values<float>(file, "/pool/chat/state/active", H5T_NATIVE_FLOAT) == result.energy.pools[0].state_watts[3]);
  CHECK(values<float>(file, "/pool/no pool/state/bare_idle", H5T_NATIVE_FLOAT) == std::vector<float>(1800, 560.0F));
  const auto starts = values<double>(file, "/bin_start", H5T_NATIVE_DOUBLE);
  REQUIRE(starts.size() == 1800);
  CHECK(starts[1799] == 1799);
  CHECK(text_attribute(file, "/", "name") == "sample");
  CHECK(text_attribute(file, "/power/it", "units") == "W");
  CHECK(text_attribute(file, "/bin_start", "units") == "s");
  CHECK(text_attribute(file, "/bin_start", "CLASS") == "DIMENSION_SCALE");
  CHECK(scale_of(file, "/power/chassis_ac") == "/bin_start");
  CHECK(scale_of(file, "/pool/chat/state/context_idle") == "/bin_start");
  H5Fclose(file);
}

TEST_CASE("equal results give equal bytes") {
  const test::Scratch scratch;
  write_results_h5(test::sample(), scratch / "a.h5");
  ::sleep(1);
  write_results_h5(test::sample(), scratch / "b.h5");
  const std::string a = test::content(scratch / "a.h5");
  CHECK(a.size() > 1000);
  CHECK(a == test::content(scratch / "b.h5"));
  scenario::Result other = test::sample();
  other.energy.watts[0][900] += 1;
  write_results_h5(other, scratch / "c.h5");
  CHECK(a != test::content(scratch / "c.h5"));
}

TEST_CASE("a run without a bin has a file") {
  const test::Scratch scratch;
  scenario::Result result;
  result.name = "empty";
  write_results_h5(result, scratch / "empty.h5");
  const hid_t file = H5Fopen((scratch / "empty.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  REQUIRE(file >= 0);
  CHECK(values<float>(file, "/power/gpu", H5T_NATIVE_FLOAT).empty());
  H5Fclose(file);
}

TEST_CASE("a place that cannot be written is the user's to change") {
  const test::Scratch scratch;
  CHECK_THROWS_AS(write_results_h5(test::sample(), scratch / "missing" / "results.h5"), UserError);
}
