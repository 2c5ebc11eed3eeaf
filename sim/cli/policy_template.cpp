#include "cli/policy_template.hpp"

#include <fmt/format.h>

#include "base/error.hpp"

namespace joulecast::cli {
namespace {

constexpr const char* kHeader = R"(#pragma once

#include <memory>

#include "serving/@INTERFACE@.hpp"

namespace joulecast::policy {

/// The @WHAT@ with the fewest waiting and running requests@EACH@; the first among equals. (A beginning: say here what yours does, and why.)
std::unique_ptr<serving::@ROUTER@> make_@NAME@();

}  // namespace joulecast::policy
)";

constexpr const char* kSource = R"(#include "policy/routing/@NAME@.hpp"

namespace joulecast::policy {
namespace {

class @CLASS@ final : public serving::@ROUTER@ {
 public:
  std::size_t choose(const serving::RoutedRequest&, const engine::Views<serving::@VIEW@>& @WHAT@s, Time now, Stream&) override {
    std::size_t best = 0;
    for (std::size_t i = 1; i < @WHAT@s.size(); ++i) {
      if (load(@WHAT@s.at(i, now)) < load(@WHAT@s.at(best, now))) best = i;
    }
    return best;
  }

 private:
  static double load(const serving::@VIEW@& @WHAT@) { return static_cast<double>(@WHAT@.outstanding())@PER@; }
};

}  // namespace

std::unique_ptr<serving::@ROUTER@> make_@NAME@() { return std::make_unique<@CLASS@>(); }

}  // namespace joulecast::policy
)";

constexpr const char* kTest = R"(// @NAME@: what it chooses.
#include "policy/routing/@NAME@.hpp"

#include <catch2/catch.hpp>

#include "unit/policy/routing_support.hpp"

using namespace joulecast;
using namespace joulecast::policy;

TEST_CASE("@NAME@ is registered as what chooses a @WHAT@") { REQUIRE(find_@WHAT@_policy("@NAME@") != nullptr); }

TEST_CASE("@NAME@ takes the least loaded @WHAT@, and the first among equals") {
  const auto router = make_@NAME@();
  Stream random(1, "router", "routing");
  CHECK(router->choose(asks(100), @LOADS@({{3, 2}, {1, 0}, {2, 2}}), Time{0}, random) == 1);
  CHECK(router->choose(asks(100), @LOADS@({{1, 1}, {1, 1}}), Time{0}, random) == 0);
}
)";

void replace_all(std::string& text, std::string_view what, std::string_view with) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size()) text.replace(at, what.size(), with);
}

/// "shortest_prompt" as "ShortestPrompt".
std::string class_name(const std::string& name) {
  std::string text;
  bool begins = true;
  for (const char c : name) {
    if (c != '_') text += begins && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    begins = c == '_';
  }
  return text;
}

std::string filled(std::string text, bool pool, const std::string& name) {
  replace_all(text, "@INTERFACE@", pool ? "pool_routing" : "routing");
  replace_all(text, "@ROUTER@", pool ? "PoolRouter" : "ReplicaRouter");
  replace_all(text, "@VIEW@", pool ? "PoolView" : "ReplicaView");
  replace_all(text, "@WHAT@", pool ? "pool" : "replica");
  replace_all(text, "@EACH@", pool ? " a replica" : "");
  replace_all(text, "@PER@", pool ? " / pool.replicas" : "");
  replace_all(text, "@LOADS@", pool ? "pool_loads" : "loads");
  replace_all(text, "@CLASS@", class_name(name));
  replace_all(text, "@NAME@", name);
  return text;
}

/// Where a line belongs that goes in alphabetical order between lines that begin with `lead`, from `from` up to a line that is `end`.
std::size_t place_of(const std::string& text, std::size_t from, std::string_view lead, std::string_view end, const std::string& line) {
  std::size_t after = std::string::npos;
  for (std::size_t at = from; at < text.size();) {
    const std::size_t stop = std::min(text.find('\n', at), text.size());
    const std::string_view here = std::string_view(text).substr(at, stop - at);
    if (here.starts_with(lead)) {
      if (here > line) return at;
      after = stop + 1;
    } else if (here == end) {
      return end.empty() && after != std::string::npos ? after : at;
    }
    at = stop + 1;
  }
  return std::string::npos;
}

}  // namespace

const std::vector<PolicyKind>& policy_kinds() {
  static const std::vector<PolicyKind> kinds = {
      {"pool", "routing", "  static const std::vector<PoolPolicy> policies = {\n", "router.pool"},
      {"replica", "routing", "  static const std::vector<ReplicaPolicy> policies = {\n", "router.replica"},
  };
  return kinds;
}

PolicyText policy_text(const PolicyKind& kind, const std::string& name) {
  const bool pool = kind.kind == "pool";
  PolicyText text;
  text.header = filled(kHeader, pool, name);
  text.source = filled(kSource, pool, name);
  text.test = filled(kTest, pool, name);
  text.include = fmt::format("#include \"policy/{}/{}.hpp\"\n", kind.folder, name);
  const std::string what = filled("the @WHAT@ with the fewest waiting and running requests@EACH@; the first among equals", pool, name);
  text.entry = pool ? fmt::format("      {{\"{}\", \"{}\", {{}}, needs_nothing, plain_pool<make_{}>}},\n", name, what, name)
                    : fmt::format("      {{\"{}\", \"{}\", {{}}, false, plain<make_{}>}},\n", name, what, name);
  return text;
}

std::string with_policy(const std::string& registry, const PolicyKind& kind, const std::string& name, const std::string& path) {
  const PolicyText text = policy_text(kind, name);
  std::string result = registry;
  const auto insert = [&](std::size_t from, std::string_view lead, std::string_view end, const std::string& line) {
    const std::size_t at = from == std::string::npos ? from : place_of(result, from, lead, end, line);
    if (at == std::string::npos) {
      throw UserError({path, 0, 0}, "the registry of policies is not as `joulecast new` knows it",
                      "add these lines by hand:\n" + text.include + text.entry);
    }
    result.insert(at, line);
  };
  const std::string lead = fmt::format("#include \"policy/{}/", kind.folder);
  if (result.find(text.include) == std::string::npos) insert(result.find(lead), lead, "", text.include);
  const std::size_t list = result.find(kind.list);
  if (list == std::string::npos || result.find(fmt::format("      {{\"{}\",", name), list) > result.find("\n  };\n", list)) {
    insert(list == std::string::npos ? list : list + kind.list.size(), "      {\"", "  };", text.entry);
  }
  return result;
}

}  // namespace joulecast::cli
