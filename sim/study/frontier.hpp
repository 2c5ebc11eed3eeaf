#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scenario/scenario.hpp"
#include "scenario/training_result.hpp"
#include "training/iteration.hpp"

namespace joulecast::study {

/// A plan of one pipeline and what an iteration of the whole job takes with it.
struct FrontierRow {
  double deadline_s = 0;
  scenario::IterationFigures figures;
  double bound_joules = 0;  ///< of the whole job: no plan that ends with the deadline takes less
  training::Plan plan;
};

/// The time-energy frontier of a training job whose replicas are all sound: what an iteration takes at the least for each time that it may take.
struct Frontier {
  std::string job;
  training::Iteration iteration;  ///< of one pipeline
  std::int64_t replicas = 1;
  scenario::IterationFigures highest;  ///< every operation at its highest clock
  std::vector<FrontierRow> rows;       ///< by rising deadline, from the fastest possible to the one that takes the least joules
};

/// The job of that name, or the only one where `name` is empty. Throws UserError: no such job, none at all, several without a name; a job whose
/// operations have one clock each.
const scenario::TrainingJob& find_job(const scenario::Scenario& scenario, const std::string& name);

/// `points` at least 2.
Frontier frontier(const scenario::Scenario& scenario, const scenario::TrainingJob& job, int points);

/// A deadline as a person writes it: a time ("28.5 s") or a factor on the time at highest clocks ("1.05"). Throws UserError for anything else, and
/// for one below the fastest possible.
double deadline_of(const Frontier& frontier, const std::string& text);

/// The row with a plan made for exactly this deadline.
FrontierRow row_at(const Frontier& frontier, double deadline_s);

}  // namespace joulecast::study
