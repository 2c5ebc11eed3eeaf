#pragma once

#include <string_view>

namespace joulecast::report {

/// What a page is made of, embedded when the program is built (cmake/embed_assets.cmake): our template, style and scripts, and the chart libraries.
extern const std::string_view kPageTemplate, kPageStyle, kPageScripts, kChartLibraries;

}  // namespace joulecast::report
