#include "config/node.hpp"

#include <cmath>

namespace joulecast::config {
namespace {

bool same(const DateTime& a, const DateTime& b) {
  return a.year == b.year && a.month == b.month && a.day == b.day && a.hour == b.hour && a.minute == b.minute && a.second == b.second &&
         a.nanosecond == b.nanosecond && a.has_offset == b.has_offset && (!a.has_offset || a.offset_minutes == b.offset_minutes);
}

bool same(double a, double b) { return (std::isnan(a) && std::isnan(b)) || a == b; }

bool same(const Node::Array& a, const Node::Array& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!config::same(a[i], b[i])) return false;
  }
  return true;
}

bool same(const Table& a, const Table& b) {
  if (a.entries.size() != b.entries.size()) return false;
  for (const Table::Entry& entry : a.entries) {
    const Node* other = b.find(entry.key);
    if (other == nullptr || !config::same(*entry.value, *other)) return false;
  }
  return true;
}

template <class T>
bool same(const T& a, const T& b) {
  return a == b;
}

}  // namespace

Table::Table(const Table& other) {
  entries.reserve(other.entries.size());
  for (const Entry& entry : other.entries) entries.push_back({entry.key, entry.place, std::make_unique<Node>(*entry.value)});
}

Table& Table::operator=(const Table& other) {
  if (this != &other) *this = Table(other);
  return *this;
}

const Node* Table::find(std::string_view key) const {
  for (const Entry& entry : entries) {
    if (entry.key == key) return entry.value.get();
  }
  return nullptr;
}

Node* Table::find(std::string_view key) { return const_cast<Node*>(std::as_const(*this).find(key)); }

std::string_view Node::kind() const {
  constexpr std::string_view kinds[] = {"a boolean", "an integer", "a number", "a string", "a date and time", "a list", "a table"};
  return kinds[value_.index()];
}

bool same(const Node& a, const Node& b) {
  return a.value().index() == b.value().index() && std::visit(
                                                       [&](const auto& held) {
                                                         using T = std::decay_t<decltype(held)>;
                                                         return same(held, *b.as<T>());
                                                       },
                                                       a.value());
}

}  // namespace joulecast::config
