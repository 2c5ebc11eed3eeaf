#pragma once

#include <span>
#include <string>

namespace joulecast::control {

/// What a router believes of how fast a replica serves and at what energy, as an operator who profiles one would: a decode step of n sequences with
/// summed context c takes
///
///   seconds(n, c) = base + a_sequence n + a_context c
///
/// and so, with other figures, its joules; a prompt of x tokens alone takes base + a_token x + a_square x^2. Figures are not negative, so nothing that
/// is predicted is. Decode steps are memory-bound: their base is the reading of the weights, a_context that of KV.
struct ServiceBelief {
  struct Step {
    double base = 0, a_sequence = 0, a_context = 0;
    double at(double sequences, double context) const { return base + a_sequence * sequences + a_context * context; }
  };
  struct Prompt {
    double base = 0, a_token = 0, a_square = 0;
    double at(double tokens) const { return base + (a_token + a_square * tokens) * tokens; }
  };
  Step step_seconds, step_joules;
  Prompt prompt_seconds, prompt_joules;
  double idle_watts = 0;     ///< of the whole replica, waiting
  double error = 0;          ///< root mean square of the relative residuals of the steps' seconds
  double tokens_a_step = 1;  ///< that a decode step gives each of its sequences, on average

  /// GPU joules that a request adds to a replica with `running` others of `context` tokens each: its prompt, and for each of its steps the difference
  /// between a step with and one without it; where nobody runs, the step less what waiting takes.
  double added_joules(double tokens_in, double tokens_out, double running, double context) const;
};

/// A decode step as it was profiled: sequences, their summed context, what it took.
struct ProfiledStep {
  double sequences = 0, context = 0, seconds = 0, joules = 0;
};
/// A prompt served alone.
struct ProfiledPrompt {
  double tokens = 0, seconds = 0, joules = 0;
};

/// Least squares of the relative residuals, no figure below 0. Throws UserError where the rows do not identify a figure.
ServiceBelief fit_service_belief(std::span<const ProfiledStep> steps, std::span<const ProfiledPrompt> prompts, double idle_watts);

}  // namespace joulecast::control
