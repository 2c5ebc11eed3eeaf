#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/file_text.hpp"
#include "cli/policy_template.hpp"
#include "config/node.hpp"

namespace joulecast::cli {
namespace {

namespace fs = std::filesystem;

struct File {
  fs::path path;
  std::string text;
};

const PolicyKind& kind_of(const std::string& word) {
  std::vector<std::string> names;
  for (const PolicyKind& kind : policy_kinds()) {
    if (kind.kind == word) return kind;
    names.emplace_back(kind.kind);
  }
  const std::string near = config::nearest(word, names);
  throw UserError({}, word.empty() ? "--kind is missing" : fmt::format("--kind \"{}\" is none of pool, replica", word),
                  near.empty() ? "write --kind replica or --kind pool" : fmt::format("did you mean --kind {}?", near));
}

void check_name(const std::string& name) {
  bool good = !name.empty() && name.front() >= 'a' && name.front() <= 'z' && name.back() != '_' && name.size() <= 60;
  for (const char c : name) good = good && ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_');
  if (good && name.find("__") == std::string::npos) return;
  throw UserError({}, fmt::format("\"{}\" is no name of a policy", name), "write small letters, digits and single underscores: shortest_prompt");
}

void write(const File& file) {
  std::ofstream out(file.path, std::ios::binary);
  out << file.text;
  out.close();
  if (!out) throw UserError(Place{file.path.string()}, "cannot write here", "choose a checkout that you may write to, with --in");
}

/// The files that were written, a line each or as JSON.
void show(const std::vector<std::string>& written, const NewArguments& arguments, Console& console) {
  if (arguments.json) {
    console.print(nlohmann::ordered_json{{"schema", 1}, {"name", arguments.name}, {"written", written}}.dump(2) + "\n");
    return;
  }
  for (const std::string& path : written) console.print(path + "\n");
}

}  // namespace

int new_command(const NewArguments& arguments, Console& console) {
  if (arguments.what != "policy")
    throw UserError({}, fmt::format("`joulecast new {}` is not known", arguments.what), "write `joulecast new policy NAME`");
  check_name(arguments.name);
  const PolicyKind& kind = kind_of(arguments.kind);
  const fs::path root = arguments.checkout, registry = root / "sim/policy/registry.cpp";
  if (!fs::exists(registry)) {
    throw UserError(Place{registry.string()}, "is not there: this is no checkout of joulecast", "go to the source tree, or name it with --in");
  }
  const PolicyText text = policy_text(kind, arguments.name);
  const fs::path folder = root / "sim/policy" / kind.folder;
  const std::vector<File> files = {{folder / (arguments.name + ".hpp"), text.header},
                                   {folder / (arguments.name + ".cpp"), text.source},
                                   {root / "tests/unit/policy" / (arguments.name + "_test.cpp"), text.test}};
  const std::string before = file_text(registry), after = with_policy(before, kind, arguments.name, registry.string());
  // Looks at all of it first, so that nothing is half written.
  std::size_t there = 0;
  for (const File& file : files) {
    if (!fs::exists(file.path)) continue;
    ++there;
    if (file_text(file.path) != file.text)
      throw UserError(Place{file.path.string()}, "is there already, and is not what would be written", "choose another name");
  }
  if (there == 0 && before.find(fmt::format("{{\"{}\",", arguments.name)) != std::string::npos) {
    throw UserError(Place{registry.string()}, fmt::format("a policy \"{}\" is registered already", arguments.name), "choose another name");
  }
  if (there == files.size() && before == after) {
    console.message(fmt::format("already there: policy \"{}\"", arguments.name));
    if (arguments.json) show({}, arguments, console);
    return kDone;
  }
  std::vector<std::string> written;
  for (const File& file : files) {
    write(file);
    written.push_back(file.path.lexically_normal().string());
  }
  write({registry, after});
  written.push_back(registry.lexically_normal().string());
  show(written, arguments, console);
  console.message(
      fmt::format("Next: write what it chooses into {}, and what is true of it into its test; then\n"
                  "  tools/format && tools/test\n"
                  "  joulecast run scenarios/quickstart.toml --set {}={}",
                  files[1].path.lexically_normal().string(), kind.key, arguments.name));
  return kDone;
}

}  // namespace joulecast::cli
