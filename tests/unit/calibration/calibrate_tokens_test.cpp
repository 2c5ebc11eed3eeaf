// Beliefs from token sweeps: known forms come back, held-out errors, what cannot be told apart is refused with what to measure.
#include "calibration/calibrate_tokens.hpp"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cmath>

#include "base/error.hpp"
#include "base/philox.hpp"
#include "config/node.hpp"
#include "unit/calibration/tables.hpp"

using namespace joulecast;
using namespace joulecast::calibration;
using Catch::Contains;

namespace {

/// A sweep over a grid that follows `terms` exactly, in the plain form.
std::string sweep_text(const TokenTerms& terms, std::initializer_list<int> in, std::initializer_list<int> out) {
  std::string text = "tokens_in,tokens_out,joules,seconds\n";
  for (const int i : in) {
    for (const int o : out) text += fmt::format("{},{},{:.17g},{:.17g}\n", i, o, terms.at(i, o), terms.at(i, o) / 300);
  }
  return text;
}

std::string refusal(const std::string& table, TokenForm form = TokenForm::relative) {
  TokensRequest request;
  request.table = table;
  request.form = form;
  request.names = {"org/model"};
  try {
    calibrate_tokens(request);
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a sweep that follows a form gives its terms back, by every form that has them") {
  const TableFolder folder;
  const TokenTerms truth{20, 0.05, 2, 1e-4, 3e-4};
  TokensRequest request;
  request.table = folder.write("sweep.csv", sweep_text(truth, {8, 64, 512, 2048}, {8, 64, 512, 2048}));
  request.names = {"org/model"};
  const TokensResult result = calibrate_tokens(request);
  REQUIRE(result.models.size() == 1);
  for (const TokenForm form : {TokenForm::output_squared, TokenForm::relative}) {
    const TokenFit& fit = *fit_of(result.models[0].joules, form);
    CHECK(fit.terms.constant == Approx(20));
    CHECK(fit.terms.input == Approx(0.05));
    CHECK(fit.terms.output == Approx(2));
    CHECK(fit.terms.product == Approx(1e-4));
    CHECK(fit.terms.output_squared == Approx(3e-4));
    CHECK(fit.held_out.worst < 1e-9);
    CHECK(fit.r2_centred == Approx(1));
    CHECK(fit.folds == 10);
    CHECK(fit.negative == 0);
    CHECK(fit_of(result.models[0].seconds, form)->terms.output == Approx(2.0 / 300));
  }
  // Without the square the fit is off, and the uncentred R2 is kinder than the centred one.
  const TokenFit& published = *fit_of(result.models[0].joules, TokenForm::published);
  CHECK(published.held_out.median > 0.05);
  CHECK(published.r2_uncentred > published.r2_centred);
  CHECK(published.r2_centred < 1 - 1e-4);

  const config::Node beliefs = config::parse_text(result.beliefs, "beliefs.toml");
  const auto* models = beliefs.as<config::Table>()->find("model")->as<config::Table>();
  const auto* model = models->find("model")->as<config::Table>();
  CHECK(*model->find("output_squared")->as<double>() == Approx(3e-4));
  CHECK_THAT(result.beliefs, Contains("input_tokens = [8, 2048]") && Contains("names = [\"org/model\"]") && Contains("16 rows used"));
}

TEST_CASE("the relative fit holds at 0 what would be negative, without an interval") {
  const TableFolder folder;
  TokensRequest request;
  // Energy that falls with the prompt: no request costs less for a longer prompt.
  request.table = folder.write("sweep.csv", sweep_text({200, -0.05, 2, 0, 0}, {8, 64, 512, 2048}, {8, 64, 512, 2048}));
  request.names = {"org/model"};
  const TokensResult result = calibrate_tokens(request);
  const TokenFit& fit = *fit_of(result.models[0].joules, TokenForm::relative);
  CHECK(fit.terms.input == 0);
  CHECK(fit.low.input == 0);
  CHECK(fit.high.input == 0);
  CHECK_THAT(result.beliefs, Contains("input = 0.0  # held at 0"));
  CHECK(fit_of(result.models[0].joules, TokenForm::intercept)->terms.input == Approx(-0.05));
}

TEST_CASE("two models that share the last part of their names stand in two tables") {
  const TableFolder folder;
  std::string text = "tokens_in,tokens_out,joules,model\n";
  for (const char* model : {"one/m", "two/m"}) {
    for (const int in : {8, 64, 512}) {
      for (const int out : {8, 64, 512}) text += fmt::format("{},{},{},{}\n", in, out, 20 + 0.5 * in + 2 * out, model);
    }
  }
  TokensRequest request;
  request.table = folder.write("sweep.csv", text);
  request.form = TokenForm::intercept;
  const TokensResult result = calibrate_tokens(request);
  const config::Node beliefs = config::parse_text(result.beliefs, "beliefs.toml");
  const auto* models = beliefs.as<config::Table>()->find("model")->as<config::Table>();
  CHECK(models->find("m"));
  CHECK(models->find("m-2"));
}

TEST_CASE("an 80 % interval holds the true coefficient in about 80 of 100 noisy sweeps") {
  int inside = 0;
  constexpr int kSweeps = 200;
  Stream random(7, "tokens", "noise");
  const TokenTerms truth{20, 0.5, 2, 1e-3, 3e-4};
  for (int s = 0; s < kSweeps; ++s) {
    std::vector<TokenPoint> points;
    for (const double in : {8., 64., 512., 2048.}) {
      for (const double out : {8., 64., 512., 2048.}) points.push_back({in, out, truth.at(in, out) * (1 + 0.05 * random.normal())});
    }
    const TokenFit fit = fit_tokens(points, TokenForm::relative, 8, "noisy");
    if (fit.low.output <= truth.output && truth.output <= fit.high.output) ++inside;
  }
  // 160 expected; the standard deviation of the count is 5.7.
  CHECK(inside > 142);
  CHECK(inside < 178);
}

TEST_CASE("lengths that cannot tell the terms apart are refused with what to measure") {
  const TableFolder folder;
  const TokenTerms truth{20, 0.05, 2, 1e-4, 3e-4};
  CHECK_THAT(refusal(folder.write("a.csv", sweep_text(truth, {32}, {8, 64, 512}))),
             Contains("does not identify the terms in tokens in") && Contains("every prompt has 32 tokens: measure another length of prompt"));
  CHECK_THAT(refusal(folder.write("b.csv", sweep_text(truth, {8, 64, 512}, {100}))), Contains("every answer has 100 tokens"));
  CHECK_THAT(refusal(folder.write("c.csv", sweep_text(truth, {8, 64, 512}, {8, 64}))),
             Contains("the term in tokens out squared") && Contains("measure a third"));
  CHECK(refusal(folder.write("c.csv", sweep_text(truth, {8, 64, 512}, {8, 64})), TokenForm::intercept).empty());
  // A diagonal: the lengths move together.
  std::string diagonal = "tokens_in,tokens_out,joules\n";
  for (const int n : {8, 16, 32, 64, 128, 256, 512}) diagonal += fmt::format("{},{},{}\n", n, n, n * 3);
  CHECK_THAT(refusal(folder.write("d.csv", diagonal)), Contains("tokens in") && Contains("measure each length of prompt with each length of answer"));
}

TEST_CASE("tables are read by their headers, and what is not a request is dropped and counted") {
  const TableFolder folder;
  const std::string header = "Phase,Runtime (s),GPU Energy (mJ),Number of Output Tokens,Number of Input Tokens,Model,Prompt,System\n";
  const std::string rows =
      "model load,53.4,3130488,32,0,m,startup,argonne\nstart-inference-A-8,0.5,36274,8,16,m,\"two,\nlines\",argonne\n"
      "start-inference-B-8,0.5,0,8,32,m,x,argonne\nstart-inference-A-8,0.7,99000,8,16,n,x,argonne\n";
  TableSource source;
  const auto sweeps = read_token_table(folder.write("w.csv", header + rows), {}, source);
  REQUIRE(sweeps.size() == 2);
  CHECK(sweeps[0].model == "m");
  REQUIRE(sweeps[0].rows.size() == 1);
  CHECK(sweeps[0].rows[0].joules == Approx(36.274));
  CHECK(sweeps[0].rows[0].input == 16);
  CHECK(sweeps[0].rows[0].output == 8);
  CHECK(sweeps[0].rows[0].seconds == 0.5);
  CHECK(source.used == 2);
  CHECK_THAT(source.text(), Contains("1 of phase model load") && Contains("1 without energy"));
  const std::string twice = folder.write("v.csv", header + rows + "start-inference-A-8,0.7,99000,8,16,m,x,palmetto\n");
  CHECK_THAT(
      [&] {
        try {
          TableSource s;
          read_token_table(twice, {}, s);
        } catch (const UserError& error) {
          return std::string(error.what());
        }
        return std::string();
      }(),
      Contains("several systems: argonne, palmetto") && Contains("--system \"argonne\""));
  TableSource s;
  CHECK(read_token_table(twice, {"m", "palmetto"}, s).size() == 1);
  CHECK_THAT(refusal(folder.write("x.csv", "tokens_in,tokens_out,joules\n8,8,ten\n")), Contains("read \"ten\""));
  CHECK_THAT(refusal(folder.write("y.csv", "a,b\n1,2\n")), Contains("no column tokens_in"));
}
