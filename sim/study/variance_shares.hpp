#pragma once

#include <span>
#include <vector>

namespace joulecast::study {

/// How much of a figure's variance over draws each of its sources makes.
struct VarianceShares {
  std::vector<double> of_source;  ///< 0 .. 1, by source
  double unexplained = 0;         ///< the rest: the seed, sources too small to tell, sources together, what is not linear; the shares and it are 1
  bool all_at_once = false;       ///< by one regression on all sources; else, of too few draws, source by source
};

/// First-order shares of the variance of `values` by linear regression on the normal numbers that drew each source: for independent sources the squared
/// standardised regression coefficients are the first-order Sobol' indices of the linear part (Saltelli et al., "Global Sensitivity Analysis: The Primer",
/// 2008, section 1.2.5). From sources + 10 draws on all coefficients are fitted at once; with fewer each by itself, its squared correlation. What chance alone
/// gives a source, its coefficient's squared standard error, is taken off; and a source counts only where Student's t of its coefficient is so large that chance
/// gives it to any of all sources in one study of twenty (Bonferroni), so that no source is named by accident. What few draws cannot tell is unexplained.
///
/// `normals` has a row a draw, as many rows as `values`, all finite. Values that are all the same have no shares: all 0, nothing unexplained.
VarianceShares variance_shares(std::span<const std::vector<double>> normals, std::span<const double> values);

}  // namespace joulecast::study
