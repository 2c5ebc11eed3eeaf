#pragma once

#include <vector>

namespace joulecast::study {

/// Which points are on the Pareto front, lower being better in every objective: no other point is as good in all and better in one. Equal points are on it
/// together. A point with a value that is not finite, or without values, is not. O(points x front x objectives).
std::vector<bool> pareto_front(const std::vector<std::vector<double>>& points);

}  // namespace joulecast::study
