// Tables for a page, a repository and a paper: what is text stays text in each.
#include "report/html/figure_table.hpp"

#include <catch2/catch.hpp>

using namespace joulecast::report;
using Catch::Contains;

TEST_CASE("a table's words are escaped in each form") {
  const FigureTable table{"A & B", {"", "50 %"}, {{"<b>a_b|c</b>", "± 1 µs"}}, "it's $5"};
  CHECK_THAT(html(table),
             Contains("<caption>A &amp; B</caption>") && Contains("&lt;b&gt;a_b|c&lt;/b&gt;") && !Contains("<b>") && Contains("it&#39;s $5"));
  CHECK(markdown(table) == "### A & B\n\n|  | 50 % |\n| --- | ---: |\n| &lt;b>a_b\\|c&lt;/b> | ± 1 µs |\n\nit's $5\n");
  CHECK_THAT(latex(table), Contains("\\caption{A \\& B}") && Contains("\\begin{tabular}{lr}") && Contains(" & 50 \\% \\\\") &&
                               Contains("\\textless{}b\\textgreater{}a\\_b|c") && Contains("$\\pm$ 1 $\\mu$s") && Contains("it's \\$5"));
}
