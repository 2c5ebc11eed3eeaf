#include "cli/record_syntax.hpp"

#include "cli/options_impl.hpp"

namespace joulecast::cli {
namespace {

constexpr const char* kExamples = R"(Examples:
  joulecast record --period "50 ms" --out run.csv
  joulecast record --gpu 0-3 --fifo marks & while [ ! -p marks ]; do sleep 1; done; echo prefill > marks
  joulecast record --mark warm-up --mark load --out run.csv & while [ ! -s run.csv ]; do sleep 1; done; kill -USR1 $!
  joulecast record --plan clock-sweep --base "H100 SXM" > sweep.sh
  joulecast record --print-nvidia-smi

Reads NVML, needs no root and changes nothing. Rows reach the file whole, poll by poll; Ctrl-C or --duration ends it, and an HDF5 file of the
same is written beside it.)";

}  // namespace

RecordSyntax::RecordSyntax(CLI::App& app, detail::Common& common)
    : common_(common),
      record_(detail::add_command(app, "record", "Samples real GPUs: power, energy, clocks and limits, to a CSV as it goes", kExamples)) {
  RecordArguments& a = arguments_;
  detail::add_text(record_, "--gpu", a.gpus, "LIST", "Indices, ranges, UUIDs: 0-3,7 (default: all)");
  detail::add_text(record_, "--period", a.period, "TIME", "From poll to poll, 10 ms at the least (default: \"50 ms\")");
  detail::add_text(record_, "--duration", a.duration, "TIME", "Ends by itself (default: at Ctrl-C)");
  detail::add_text(record_, "--out", a.out, "FILE", "The recording (default: record-TIME.csv)");
  record_->add_option("--mark", a.marks, "A phase; each SIGUSR1 begins the next of them")->option_text("NAME")->allow_extra_args(false)->take_all();
  detail::add_text(record_, "--fifo", a.fifo, "PATH", "A named pipe: each line written to it begins a phase of that name");
  record_->add_flag("--no-hdf5", a.without_hdf5, "Leaves out the HDF5 file beside the CSV");
  detail::add_text(record_, "--library", a.library, "FILE", "NVML, where it is not found by itself");
  record_->add_flag("--print-nvidia-smi", a.print_nvidia_smi, "Prints a line that records where nothing can be installed");
  detail::add_text(record_, "--plan", a.plan, "PLAN", "Prints the steps of a good measurement: idle, clock-sweep, cap-sweep, batch-sweep");
  detail::add_text(record_, "--base", a.base, "PROFILE", "With --plan: the GPU that is to be measured");
  detail::add_common(record_, common);
}

std::optional<RecordArguments> RecordSyntax::chosen() const {
  if (!record_->parsed()) return std::nullopt;
  RecordArguments arguments = arguments_;
  arguments.json = common_.json;
  return arguments;
}

}  // namespace joulecast::cli
