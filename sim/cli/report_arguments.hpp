#pragma once

#include <string>

namespace joulecast::cli {

/// `joulecast report DIR`.
struct ReportArguments {
  std::string folder;  ///< the results
  std::string out;     ///< the page's file; "" writes report.html into the folder
  std::string table;   ///< "markdown" or "latex" prints tables instead; "" writes the page
  bool json = false;
};

}  // namespace joulecast::cli
