#pragma once

#include <string>
#include <vector>

#include "training/schedule.hpp"

namespace joulecast::training {

/// "F3", with chunks "F3.1"; B a whole backward, I its input part, W its weight part.
std::string text(const Step& step, bool with_chunk);

/// A hand-written schedule: a line of steps a stage, "F0 F1 B0 B1". Throws UserError at `place`, all faults at once: a word that is no step, a step
/// twice, a chunk or microbatch that some stage has and another lacks (a dangling dependency), a stage without steps, a backward both whole and in
/// parts. Whether the orders wait for each other in a circle shows when the graph is made (build_iteration).
Schedule parse_schedule(const std::vector<std::string>& stages, const Place& place = {});

/// Stages, microbatches and chunks of a schedule in which every stage runs the same passes.
ScheduleShape shape_of(const Schedule& schedule);

}  // namespace joulecast::training
