#include "report/uncertainty_h5.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace joulecast::report {

namespace {

using namespace hdf5;

std::string link_name(std::string name) {
  std::replace(name.begin(), name.end(), '/', '_');
  return name;
}

class Writer {
 public:
  Writer(hid_t file, const study::Uncertainty& known)
      : known_(known),
        links_(named_links()),
        layout_(untimed(H5P_DATASET_CREATE)),
        group_(group(file, "uncertainty", links_)),
        draws_(numbers("draw")),
        draw_(file, draws_, "uncertainty/draw", "1", "number of the draw") {}

  void write() {
    put(group_, "seed", known_.seed);
    put(group_, "method", std::string(study::name(study::interval_law(known_.draws.size()))));
    const Handle seeds = numbers("seed");
    put(seeds, "units", std::string("1"));
    put(seeds, "long_name", std::string("seed of the draw's requests"));
    put_scales(group_, "seed", seeds, {&draw_});
    const Handle factors = group(group_, "factor", links_);
    for (std::size_t s = 0; s < known_.sources.size(); ++s) {
      std::vector<double> values;
      for (const study::ErrorDraw& draw : known_.draws) values.push_back(scenario::drawn_factor(known_.sources[s].drawn_error, draw.normals[s]));
      column(factors, link_name(known_.sources[s].name), "1", values);
    }
    const Handle figures = group(group_, "figure", links_);
    for (std::size_t f = 0; f < known_.figures.size(); ++f) {
      std::vector<double> values;
      for (const study::ErrorDraw& draw : known_.draws) values.push_back(draw.values[f]);
      column(figures, link_name(known_.figures[f].figure.key()), known_.figures[f].figure.unit, values);
    }
    draw_.finish();
  }

 private:
  Handle data_set(hid_t parent, const std::string& name, hid_t type, hid_t native, const void* values) const {
    const hsize_t count = known_.draws.size();
    const Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose, "H5Screate_simple");
    Handle set(H5Dcreate2(parent, name.c_str(), type, space, links_, layout_, H5P_DEFAULT), H5Dclose, "H5Dcreate2");
    checked(H5Dwrite(set, native, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), "H5Dwrite");
    return set;
  }
  Handle numbers(const std::string& name) const {
    std::vector<std::uint64_t> values;
    for (const study::ErrorDraw& draw : known_.draws) values.push_back(name == "seed" ? draw.seed : draw.number);
    return data_set(group_, name, H5T_STD_U64LE, H5T_NATIVE_UINT64, values.data());
  }
  void column(hid_t parent, const std::string& name, const std::string& unit, const std::vector<double>& values) {
    const Handle set = data_set(parent, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, values.data());
    put(set, "units", unit);
    put_scales(parent, name.c_str(), set, {&draw_});
  }

  const study::Uncertainty& known_;
  Handle links_, layout_, group_, draws_;
  Scale draw_;
};

}  // namespace

void write_uncertainty(hid_t file, const study::Uncertainty& known) { Writer(file, known).write(); }

}  // namespace joulecast::report
