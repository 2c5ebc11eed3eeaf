#include "hardware/training_efficiency.hpp"

namespace joulecast::hardware {

namespace {

using config::Bounds;
using config::Record;

const Bounds kShare{0, 1, true};
const Bounds kDerate{0, 1.5, true};

Record<FittedEfficiency> fitted_record() {
  Record<FittedEfficiency> r("training.prior");
  figure(r, "gemm_derate", &FittedEfficiency::gemm_derate, kDerate, "of the GEMM form's compute efficiency, in training");
  figure(r, "elementwise", &FittedEfficiency::elementwise, kShare, "share of the bandwidth of elementwise work, in training");
  figure(r, "nic", &FittedEfficiency::nic, kShare, "share of a node's NIC bandwidth that training reaches");
  figure(r, "host_layer_pass", &FittedEfficiency::host_layer_pass, Bounds::not_negative(), "host time of one pass of one layer");
  return r;
}

}  // namespace

Record<TrainingEfficiency> training_efficiency_record() {
  Record<TrainingEfficiency> r("training");
  figure(r, "multiprocessors", &TrainingEfficiency::multiprocessors, Bounds::between(1, 10000), "SMs, which take a tile of a GEMM each");
  figure(r, "gemm_launch", &TrainingEfficiency::gemm_launch, Bounds::not_negative(), "t0 of the GEMM form in training's shapes");
  figure(r, "gemm_compute", &TrainingEfficiency::gemm_compute, kShare, "share of the peak of large GEMMs in operation tables");
  figure(r, "gemm_memory", &TrainingEfficiency::gemm_memory, kShare, "share of the bandwidth of thin GEMMs in operation tables");
  figure(r, "dynamic_share", &TrainingEfficiency::dynamic_share, Bounds::between(0, 1), "core-dynamic watts over the class watts, in training");
  r.table("fitted", &TrainingEfficiency::fitted, fitted_record(), "what was fitted on measured iterations, or stands in for it", true);
  r.table("prior", &TrainingEfficiency::prior, fitted_record(), "what was believed before the fit; absent where nothing was fitted");
  return r;
}

}  // namespace joulecast::hardware
