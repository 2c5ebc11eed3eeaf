#pragma once

#include <string>

#include "report/table.hpp"
#include "scenario/result.hpp"

namespace joulecast::report {

/// `digits` of what the interval of the energy leaves. A row a feed: usable watts, mean, peaks, what is left; "" where there is none.
std::string feed_rows(const scenario::Result& result, int digits, const Style& style);
/// A row a site, where there are several or one whose price or carbon varies; "" else.
std::string site_rows(const scenario::Result& result, int digits, const Style& style);

}  // namespace joulecast::report
