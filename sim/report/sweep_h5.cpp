#include "report/sweep_h5.hpp"

#include <algorithm>
#include <cstdint>
#include <list>
#include <string>
#include <vector>

#include "report/hdf5_objects.hpp"
#include "report/sweep_settings.hpp"
#include "study/better_name.hpp"

namespace joulecast::report {

namespace {

using namespace hdf5;

constexpr std::int64_t kSchema = 1;

std::string link_name(std::string name) {
  std::replace(name.begin(), name.end(), '/', '|');
  return name;
}

class Writer {
 public:
  Writer(hid_t file, const study::Sweep& sweep) : file_(file), sweep_(sweep), links_(named_links()), layout_(untimed(H5P_DATASET_CREATE)) {
    for (const study::Axis& axis : sweep.axes) {
      sizes_.push_back(axis.size());
      add_scale(axis);
    }
    for (Scale& scale : scales_) all_.push_back(&scale);
  }

  void write() {
    for (std::size_t d = 0; d < sweep_.axes.size(); ++d) {
      if (sweep_.axes[d].parts.size() > 1) put_parts(sweep_.axes[d], all_[d]);
    }
    put_marks();
    const Handle figures = group(file_, "figure", links_);
    for (std::size_t f = 0; f < sweep_.figures.size(); ++f) {
      std::vector<double> values;
      for (const study::SweptPoint& point : sweep_.points) values.push_back(point.values[f]);
      const std::string name = link_name(sweep_.figures[f].key);
      const Handle set = numbers(figures, name, sizes_, values);
      put(set, "units", sweep_.figures[f].unit);
      put(set, "better", std::string(study::name(sweep_.figures[f].better)));
      put_scales(figures, name.c_str(), set, all_);
    }
    for (const Scale& scale : scales_) scale.finish();
  }

 private:
  void add_scale(const study::Axis& axis) {
    const std::string name = link_name(axis.name);
    const study::AxisPart& first = axis.parts.front();
    const bool numeric = axis.parts.size() == 1 && first.numeric();
    if (numeric) {
      sets_.push_back(numbers(file_, name, {axis.size()}, first.numbers));
    } else {
      std::vector<std::string> labels;
      for (std::size_t i = 0; i < axis.size(); ++i) labels.push_back(axis.label(i));
      sets_.push_back(words(name, {axis.size()}, labels));
    }
    scales_.emplace_back(file_, sets_.back(), name, numeric ? first.unit.c_str() : "1", axis.name.c_str());
  }

  /// The keys of a dimension that has several, over it.
  void put_parts(const study::Axis& axis, Scale* scale) {
    for (const study::AxisPart& part : axis.parts) {
      const std::string name = link_name(part.key);
      const Handle set = part.numeric() ? numbers(file_, name, {axis.size()}, part.numbers) : words(name, {axis.size()}, part.labels);
      if (part.numeric()) put(set, "units", part.unit);
      put_scales(file_, name.c_str(), set, {scale});
    }
  }

  void put_marks() {
    std::vector<std::int8_t> front, held;
    std::vector<std::string> failures, settings;
    for (const study::SweptPoint& point : sweep_.points) {
      front.push_back(point.on_front ? 1 : 0);
      held.push_back(point.slo_held ? (*point.slo_held ? 1 : 0) : -1);
      failures.push_back(point.failure);
      settings.push_back(settings_words(point.listed.settings));
    }
    marked("on_front", marks("on_front", front), "on the Pareto front of the objectives");
    marked("slo_held", marks("slo_held", held), "every stated SLO holds; -1 where none is stated or the point failed");
    marked("failure", words("failure", sizes_, failures), "why the point has no figures");
    marked("settings", words("settings", sizes_, settings), "words of a command line that lead to the point");
  }
  void marked(const char* name, const Handle& set, const std::string& meaning) {
    put(set, "long_name", meaning);
    put_scales(file_, name, set, all_);
  }

  Handle data_set(hid_t parent, const std::string& name, hid_t type, const std::vector<hsize_t>& sizes, hid_t memory, const void* values) const {
    const Handle space(H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), nullptr), H5Sclose, "H5Screate_simple");
    Handle set(H5Dcreate2(parent, name.c_str(), type, space, links_, layout_, H5P_DEFAULT), H5Dclose, "H5Dcreate2");
    checked(H5Dwrite(set, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), "H5Dwrite");
    return set;
  }
  Handle numbers(hid_t parent, const std::string& name, const std::vector<hsize_t>& sizes, const std::vector<double>& values) const {
    return data_set(parent, name, H5T_IEEE_F64LE, sizes, H5T_NATIVE_DOUBLE, values.data());
  }
  Handle marks(const std::string& name, const std::vector<std::int8_t>& values) const {
    return data_set(file_, name, H5T_STD_I8LE, sizes_, H5T_NATIVE_INT8, values.data());
  }
  /// All as long as the longest.
  Handle words(const std::string& name, const std::vector<hsize_t>& sizes, const std::vector<std::string>& values) const {
    std::size_t longest = 1;
    for (const std::string& value : values) longest = std::max(longest, value.size() + 1);
    std::string text;
    for (const std::string& value : values) text += value + std::string(longest - value.size(), '\0');
    const Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "H5Tcopy");
    checked(H5Tset_size(type, longest), "H5Tset_size");
    checked(H5Tset_cset(type, H5T_CSET_UTF8), "H5Tset_cset");
    return data_set(file_, name, type, sizes, type, text.data());
  }

  hid_t file_;
  const study::Sweep& sweep_;
  Handle links_, layout_;
  std::vector<hsize_t> sizes_;
  std::list<Handle> sets_;  // scales refer to them
  std::list<Scale> scales_;
  std::vector<Scale*> all_;
};

}  // namespace

void write_sweep_h5(const study::Sweep& sweep, const std::filesystem::path& path) {
  write_file(path, [&](hid_t file) {
    put(file, "schema", kSchema);
    put(file, "name", sweep.name);
    put(file, "seed", sweep.seed);
    put(file, "boundary", std::string(metering::name(sweep.boundary)));
    std::string objectives;
    for (const std::string& objective : sweep.objectives) objectives += (objectives.empty() ? "" : " ") + objective;
    put(file, "objectives", objectives);
    Writer(file, sweep).write();
  });
}

}  // namespace joulecast::report
