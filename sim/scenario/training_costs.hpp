#pragma once

#include "base/provenance.hpp"
#include "scenario/scenario.hpp"
#include "training/iteration.hpp"
#include "training/schedule.hpp"

namespace joulecast::scenario {

/// The order of a job's passes. Throws UserError where it cannot be.
training::Schedule job_schedule(const TrainingJob& job);

/// One iteration of a sound replica of a job's pipeline, its costs from the stage profile or the operation model. `every_clock`: operating points at
/// all clocks from the highest down, for a policy to choose from; else at the job's clock alone. Throws UserError for what does not fit together.
training::Iteration job_iteration(const Scenario& scenario, const TrainingJob& job, bool every_clock);

/// How well a job's seconds and watts are known.
struct JobProvenance {
  Provenance time = Provenance::modelled, watts = Provenance::modelled;
};
JobProvenance job_provenance(const Scenario& scenario, const TrainingJob& job);

}  // namespace joulecast::scenario
