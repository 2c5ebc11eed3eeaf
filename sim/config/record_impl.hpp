#pragma once

#include "config/record.hpp"

namespace joulecast::config {
namespace detail {

std::string bounds_text(const Bounds& bounds, const std::string& unit);
/// Reports a number (in the unit of the bounds) that is outside.
void check_bounds(const Bounds& bounds, double value, const std::string& unit, const Node& node, Diagnostics& diagnostics, std::string_view key);
void missing_key(const Parameter& parameter, const std::string& title, const Place& place, Diagnostics& diagnostics);
/// Reports the keys of a table that are not known.
void unknown_keys(const Table& table, const std::vector<Parameter>& known, const std::string& title, Diagnostics& diagnostics);
/// The table in a node, or nullptr after reporting that it is none.
const Table* as_table(const Node& node, Diagnostics& diagnostics, std::string_view key);
void wrong_choice(const Node& node, const std::string& read, const std::vector<std::string>& choices, Diagnostics& diagnostics, std::string_view key);
std::string joined(const std::vector<std::string>& words, std::string_view separator);

}  // namespace detail

template <class S>
template <class T>
void Record<S>::add(std::string key, T S::*member, std::string default_text, Bounds bounds, std::string text, bool required) {
  Parameter parameter;
  parameter.key = key;
  parameter.type = Reads<T>::type();
  parameter.unit = Reads<T>::unit();
  parameter.example = Reads<T>::example();
  parameter.default_text = std::move(default_text);
  parameter.bounds = detail::bounds_text(bounds, parameter.unit);
  parameter.text = std::move(text);
  parameter.required = required;
  fields_.push_back({std::move(parameter), [member, bounds, key](S& out, const Node& node, Diagnostics& diagnostics) {
                       auto value = Reads<T>::read(node, diagnostics, key);
                       if (!value) return;
                       Reads<T>::each_number(*value,
                                             [&](double number) { detail::check_bounds(bounds, number, Reads<T>::unit(), node, diagnostics, key); });
                       out.*member = std::move(*value);
                     }});
}

template <class S>
template <class T>
Record<S>& Record<S>::required(std::string key, T S::*member, Bounds bounds, std::string text) {
  add(std::move(key), member, "", bounds, std::move(text), true);
  return *this;
}

template <class S>
template <class T>
Record<S>& Record<S>::optional(std::string key, T S::*member, std::string default_text, Bounds bounds, std::string text) {
  add(std::move(key), member, std::move(default_text), bounds, std::move(text), false);
  return *this;
}

template <class S>
template <class E>
Record<S>& Record<S>::choice(std::string key, E S::*member, std::vector<std::pair<std::string, E>> choices, std::string default_text,
                             std::string text) {
  std::vector<std::string> words;
  for (const auto& [word, value] : choices) words.push_back(word);
  Parameter parameter;
  parameter.key = key;
  parameter.type = "one of " + detail::joined(words, " | ");
  parameter.example = words.empty() ? "\"...\"" : config::quoted(words.front());
  parameter.required = default_text.empty();
  parameter.default_text = std::move(default_text);
  parameter.text = std::move(text);
  fields_.push_back({std::move(parameter), [member, choices, words, key](S& out, const Node& node, Diagnostics& diagnostics) {
                       const auto word = Reads<std::string>::read(node, diagnostics, key);
                       if (!word) return;
                       for (const auto& [name, value] : choices) {
                         if (name == *word) {
                           out.*member = value;
                           return;
                         }
                       }
                       detail::wrong_choice(node, *word, words, diagnostics, key);
                     }});
  return *this;
}

template <class S>
template <class T>
Record<S>& Record<S>::table(std::string key, T S::*member, const Record<T>& nested, std::string text, bool required) {
  Parameter parameter;
  parameter.key = key;
  parameter.type = "table";
  parameter.example = "{ ... }";
  parameter.text = std::move(text);
  parameter.required = required;
  parameter.nested = nested.describe();
  fields_.push_back({std::move(parameter), [member, nested, key](S& out, const Node& node, Diagnostics& diagnostics) {
                       if (detail::as_table(node, diagnostics, key) != nullptr) out.*member = nested.read(node, diagnostics);
                     }});
  return *this;
}

template <class S>
template <class T>
Record<S>& Record<S>::table(std::string key, std::optional<T> S::*member, const Record<T>& nested, std::string text) {
  Parameter parameter;
  parameter.key = key;
  parameter.type = "table";
  parameter.example = "{ ... }";
  parameter.text = std::move(text);
  parameter.nested = nested.describe();
  fields_.push_back({std::move(parameter), [member, nested, key](S& out, const Node& node, Diagnostics& diagnostics) {
                       if (detail::as_table(node, diagnostics, key) != nullptr) out.*member = nested.read(node, diagnostics);
                     }});
  return *this;
}

template <class S>
template <class T>
Record<S>& Record<S>::tables(std::string key, NamedTables<T> S::*member, const Record<T>& nested, std::string text) {
  Parameter parameter;
  parameter.key = key;
  parameter.type = "tables";
  parameter.example = "{ NAME = { ... } }";
  parameter.text = std::move(text);
  parameter.nested = nested.describe();
  fields_.push_back({std::move(parameter), [member, nested, key](S& out, const Node& node, Diagnostics& diagnostics) {
                       const Table* table = detail::as_table(node, diagnostics, key);
                       if (table == nullptr) return;
                       for (const Table::Entry& entry : table->entries) {
                         if (detail::as_table(*entry.value, diagnostics, key + "." + entry.key) == nullptr) continue;
                         (out.*member).emplace_back(entry.key, nested.read(*entry.value, diagnostics));
                       }
                     }});
  return *this;
}

template <class S>
Record<S>& Record<S>::custom(std::string key, std::string type, std::string default_text, std::string text,
                             std::function<void(S&, const Node&, Diagnostics&)> read, bool required) {
  Parameter parameter;
  parameter.key = std::move(key);
  parameter.type = std::move(type);
  parameter.example = "...";
  parameter.default_text = std::move(default_text);
  parameter.text = std::move(text);
  parameter.required = required;
  fields_.push_back({std::move(parameter), std::move(read)});
  return *this;
}

template <class S>
Record<S>& Record<S>::later(std::string key, std::string text) {
  Parameter parameter;
  parameter.key = key;
  parameter.type = "later";
  parameter.text = std::move(text);
  parameter.later = true;
  fields_.push_back({std::move(parameter), [key](S&, const Node& node, Diagnostics& diagnostics) {
                       diagnostics.error(node.place(), config::quoted(key) + " is not yet supported", "remove " + config::quoted(key));
                     }});
  return *this;
}

template <class S>
Record<S>& Record<S>::check(std::function<void(const S&, const Place&, Diagnostics&)> rule) {
  rules_.push_back(std::move(rule));
  return *this;
}

template <class S>
Record<S>& Record<S>::place(Place S::*member) {
  keep_place_ = [member](S& out, const Place& where) { out.*member = where; };
  return *this;
}

template <class S>
S Record<S>::read(const Node& node, Diagnostics& diagnostics) const {
  S out{};
  if (keep_place_) keep_place_(out, node.place());
  const Table* table = detail::as_table(node, diagnostics, title_);
  if (table == nullptr) return out;
  const std::size_t faults = diagnostics.count();
  for (const Field& field : fields_) {
    if (const Node* value = table->find(field.parameter.key)) {
      field.read(out, *value, diagnostics);
    } else if (field.parameter.required) {
      detail::missing_key(field.parameter, title_, node.place(), diagnostics);
    }
  }
  detail::unknown_keys(*table, describe(), title_, diagnostics);
  if (diagnostics.count() == faults) {
    for (const auto& rule : rules_) rule(out, node.place(), diagnostics);
  }
  return out;
}

template <class S>
std::vector<Parameter> Record<S>::describe() const {
  std::vector<Parameter> parameters;
  for (const Field& field : fields_) parameters.push_back(field.parameter);
  return parameters;
}

}  // namespace joulecast::config
