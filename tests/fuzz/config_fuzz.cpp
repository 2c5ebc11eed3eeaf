// Any bytes are parsed, written, merged and set, and read as quantities: a UserError is the answer to bad ones, anything else is a fault of ours.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/error.hpp"
#include "base/quantity.hpp"
#include "config/node.hpp"
#include "config/record.hpp"

namespace {

using namespace joulecast;
using namespace joulecast::config;

struct Inner {
  Watts power;
  std::vector<std::int64_t> numbers;
};
struct Outer {
  std::string name;
  int count = 1;
  double scale = 1;
  Share share;
  std::optional<Priced<MoneyPerSecond>> rental;
  NamedTables<Inner> pools;
};

Record<Outer> record() {
  Record<Inner> inner("pool");
  inner.required("power", &Inner::power, Bounds::positive(), "watts");
  inner.optional("numbers", &Inner::numbers, "[]", Bounds::between(0, 9), "numbers");
  Record<Outer> outer("the file");
  outer.required("name", &Outer::name, Bounds::any(), "name")
      .optional("count", &Outer::count, "1", Bounds::between(1, 9), "count")
      .optional("scale", &Outer::scale, "1.0", Bounds::not_negative(), "scale")
      .optional("share", &Outer::share, "0.5", Bounds::between(0, 1), "share")
      .optional("rental", &Outer::rental, "", Bounds::not_negative(), "rental")
      .tables("pool", &Outer::pools, inner, "pools")
      .later("feed", "feed");
  return outer;
}

template <class F>
void allow_user_errors(F&& action) {
  try {
    action();
  } catch (const UserError& error) {
    JOULECAST_CHECK(!error.faults().empty(), "an error without a fault");
    for (const UserFault& fault : error.faults()) JOULECAST_CHECK(!fault.what.empty() && !fault.remedy.empty(), "a fault without words");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  allow_user_errors([&] {
    Node root = parse_text(text, "fuzz");
    const std::string written = write(root);
    const Node back = parse_text(written, "written");
    JOULECAST_CHECK(same(root, back), "what is written does not read back equal");
    JOULECAST_CHECK(write(back) == written, "what is written does not stand");
    merge(root, back);
    JOULECAST_CHECK(same(root, back), "a tree merged onto itself has changed");
    Diagnostics diagnostics;
    static const Record<Outer> outer = record();
    outer.read(root, diagnostics);
    diagnostics.throw_if_failed();
  });
  allow_user_errors([&] {
    Node root = parse_text("a = 1\n[t.u]\nx = { y = 2 }\n", "base");
    set(root, text);
    const std::string written = write(root);
    JOULECAST_CHECK(same(root, parse_text(written, "written")), "what was set does not read back equal");
  });
  allow_user_errors([&] {
    Diagnostics diagnostics;
    const Place place{"fuzz", 1, 1};
    parse_quantity<Watts>(text, place, diagnostics);
    parse_quantity<Seconds>(text, place, diagnostics);
    parse_quantity<Bytes>(text, place, diagnostics);
    parse_quantity<MoneyPerSecond>(text, place, diagnostics);
    parse_quantity<GramsPerJoule>(text, place, diagnostics);
    parse_percent(text, place, diagnostics);
    nearest(text, {"pool", "traffic", "site"});
    diagnostics.throw_if_failed();
  });
  return 0;
}
