#include "report/compare_h5.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "report/hdf5_objects.hpp"

namespace joulecast::report {

namespace {

using namespace hdf5;

constexpr std::int64_t kSchema = 1;

class Writer {
 public:
  Writer(hid_t file, const study::Comparison& comparison)
      : file_(file),
        comparison_(comparison),
        links_(named_links()),
        layout_(untimed(H5P_DATASET_CREATE)),
        arms_(names()),
        replications_(numbers("replication")),
        arm_(file, arms_, "arm", "1", "name of the arm"),
        replication_(file, replications_, "replication", "1", "number of the replication") {}

  void write() {
    const Handle seeds = numbers("seed");
    put(seeds, "units", std::string("1"));
    put(seeds, "long_name", std::string("seed of the replication"));
    put_scales(file_, "seed", seeds, {&replication_});
    const Handle figures = group(file_, "figure", links_);
    for (std::size_t f = 0; f < comparison_.figures.size(); ++f) {
      std::vector<double> values;
      for (const study::ComparedArm& arm : comparison_.arms) {
        for (const study::ArmRun& run : arm.runs) values.push_back(run.values[f]);
      }
      table(figures, f, {comparison_.arms.size(), comparison_.replications.size()}, values, {&arm_, &replication_});
    }
    if (comparison_.spread == study::Spread::blocks) once();
    if (comparison_.drawn) drawn();
    arm_.finish();
    replication_.finish();
  }

 private:
  void once() {
    const Handle figures = group(file_, "once", links_);
    for (std::size_t f = 0; f < comparison_.figures.size(); ++f) {
      std::vector<double> values;
      for (const study::ComparedArm& arm : comparison_.arms) values.push_back(arm.once.values[f]);
      table(figures, f, {comparison_.arms.size()}, values, {&arm_});
    }
  }

  /// /profile_error/KEY over arms and draws, with the scale `draw`.
  void drawn() {
    const study::CompareDraws& draws = *comparison_.drawn;
    const Handle group = hdf5::group(file_, "profile_error", links_);
    const std::vector<std::uint64_t> numbers(draws.numbers.begin(), draws.numbers.end());
    const Handle set = data_set(group, "draw", H5T_STD_U64LE, {numbers.size()});
    write(set, H5T_NATIVE_UINT64, numbers.data(), numbers.size());
    Scale draw(file_, set, "profile_error/draw", "1", "number of the draw of profiles' errors");
    for (std::size_t f = 0; f < comparison_.figures.size(); ++f) {
      std::vector<double> values;
      for (const study::DrawnArm& arm : draws.arms) values.insert(values.end(), arm.values[f].begin(), arm.values[f].end());
      table(group, f, {comparison_.arms.size(), numbers.size()}, values, {&arm_, &draw});
    }
    draw.finish();
  }

  void table(hid_t parent, std::size_t figure, const std::vector<hsize_t>& sizes, const std::vector<double>& values,
             const std::vector<Scale*>& scales) {
    const study::Figure& known = comparison_.figures[figure];
    const Handle set = data_set(parent, known.key.c_str(), H5T_IEEE_F64LE, sizes);
    write(set, H5T_NATIVE_DOUBLE, values.data(), values.size());
    put(set, "units", known.unit);
    put_scales(parent, known.key.c_str(), set, scales);
  }

  Handle data_set(hid_t parent, const char* name, hid_t type, const std::vector<hsize_t>& sizes) const {
    const Handle space(H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), nullptr), H5Sclose, "H5Screate_simple");
    return {H5Dcreate2(parent, name, type, space, links_, layout_, H5P_DEFAULT), H5Dclose, "H5Dcreate2"};
  }
  static void write(hid_t set, hid_t type, const void* values, std::size_t count) {
    if (count > 0) checked(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), "H5Dwrite");
  }

  /// The arms' names, all as long as the longest.
  Handle names() const {
    std::size_t longest = 1;
    for (const study::ComparedArm& arm : comparison_.arms) longest = std::max(longest, arm.name.size() + 1);
    std::string text;
    for (const study::ComparedArm& arm : comparison_.arms) text += arm.name + std::string(longest - arm.name.size(), '\0');
    const Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "H5Tcopy");
    checked(H5Tset_size(type, longest), "H5Tset_size");
    Handle set = data_set(file_, "arm", type, {comparison_.arms.size()});
    write(set, type, text.data(), comparison_.arms.size());
    return set;
  }
  /// What the replications have: their numbers, or their seeds.
  Handle numbers(const std::string& name) const {
    std::vector<std::uint64_t> values;
    for (const study::Replication& each : comparison_.replications) values.push_back(name == "seed" ? each.seed : values.size());
    Handle set = data_set(file_, name.c_str(), H5T_STD_U64LE, {values.size()});
    write(set, H5T_NATIVE_UINT64, values.data(), values.size());
    return set;
  }

  hid_t file_;
  const study::Comparison& comparison_;
  Handle links_, layout_, arms_, replications_;
  Scale arm_, replication_;
};

}  // namespace

void write_compare_h5(const study::Comparison& comparison, const std::filesystem::path& path) {
  write_file(path, [&](hid_t file) {
    put(file, "schema", kSchema);
    put(file, "name", comparison.name);
    put(file, "seed", comparison.seed);
    put(file, "reference", comparison.arms[comparison.reference].name);
    put(file, "boundary", std::string(metering::name(comparison.settings.boundary)));
    put(file, "hold", std::string(comparison.settings.hold == scenario::Hold::slo ? "slo" : "traffic"));
    put(file, "partial", std::int64_t{comparison.partial ? 1 : 0});
    Writer(file, comparison).write();
  });
}

}  // namespace joulecast::report
