#include "report/recording_h5.hpp"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>
#if __has_include(<hdf5.h>)
#include <hdf5.h>
#else
#include <hdf5/serial/hdf5.h>
#endif

#include "base/error.hpp"
#include "traces/power/open_log.hpp"

using namespace joulecast;
using namespace joulecast::report;

namespace {

/// Two GPUs at three moments; the second misses a reading, and a phase begins at the last moment.
traces::PowerLog log_of_two() {
  traces::PowerLogOptions options;
  options.file = "two.csv";
  return traces::read_power_log_text(
      "# format: joulecast-record 1\n# host: node-7\n# driver: 590.48.01\n# gpu.0.name: NVIDIA H100 80GB HBM3\n"
      "time_unix_s,gpu,uuid,power_instant_w,energy_j,sm_clock_hz,mark\n"
      "1772445600.000000,0,GPU-a,100.500,10.000,1980000000,\n1772445600.000000,1,GPU-b,80.250,7.000,345000000,\n"
      "1772445600.050000,0,GPU-a,300.000,20.000,1980000000,\n1772445600.050000,1,GPU-b,,11.000,345000000,\n"
      "1772445600.100000,0,GPU-a,310.000,35.500,1950000000,load\n1772445600.100000,1,GPU-b,81.000,15.000,345000000,load\n",
      options);
}

std::string bytes(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

struct Folder {
  std::filesystem::path path = std::filesystem::temp_directory_path() / ("joulecast-recording-" + std::to_string(getpid()));
  Folder() { std::filesystem::create_directories(path); }
  ~Folder() { std::filesystem::remove_all(path); }
};

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

}  // namespace

TEST_CASE("a recording reads back from HDF5 as it was, and its bytes are the same each time") {
  const Folder folder;
  const traces::PowerLog log = log_of_two();
  write_recording_h5(folder.path / "a.h5", log);
  write_recording_h5(folder.path / "b.h5", log_of_two());
  CHECK(bytes(folder.path / "a.h5") == bytes(folder.path / "b.h5"));
  CHECK_FALSE(std::filesystem::exists(folder.path / "a.h5.part"));

  const hid_t file = H5Fopen((folder.path / "a.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  REQUIRE(file >= 0);
  CHECK(values<std::int64_t>(file, "/gpu/0/time", H5T_NATIVE_INT64) == log.gpus[0].time_ns);
  CHECK(values<double>(file, "/gpu/0/power_instant", H5T_NATIVE_DOUBLE) == std::vector<double>{100.5, 300, 310});
  CHECK(values<double>(file, "/gpu/0/energy", H5T_NATIVE_DOUBLE) == std::vector<double>{10, 20, 35.5});
  CHECK(values<double>(file, "/gpu/0/sm_clock", H5T_NATIVE_DOUBLE) == std::vector<double>{1.98e9, 1.98e9, 1.95e9});
  const auto second = values<double>(file, "/gpu/1/power_instant", H5T_NATIVE_DOUBLE);
  CHECK(second[0] == 80.25);
  CHECK(std::isnan(second[1]));
  CHECK(H5Lexists(file, "/gpu/0/temperature", H5P_DEFAULT) == 0);
  REQUIRE(log.marks.size() == 1);
  CHECK(values<std::int64_t>(file, "/marks/time", H5T_NATIVE_INT64) == std::vector<std::int64_t>{1'772'445'600'100'000'000});
  H5Fclose(file);
}

TEST_CASE("a recording that cannot be written says so and leaves nothing") {
  const Folder folder;
  CHECK_THROWS_AS(write_recording_h5(folder.path / "none" / "a.h5", log_of_two()), UserError);
  CHECK(std::filesystem::is_empty(folder.path));
}
