#include "cli/browser.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/program.hpp"

namespace joulecast::test {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr int kWidths[] = {1280, 390};

/// Before all else in the page: keeps errors.
constexpr const char* kKeepErrors = R"js(<script>window.kept = [];
window.addEventListener("error", (e) => window.kept.push(String(e.message)));
window.addEventListener("securitypolicyviolation", (e) => window.kept.push("blocked " + e.blockedURI));</script>)js";

/// After all else: counts the pixels that each chart painted and tells the page around it.
constexpr const char* kProbe = R"js(<script>
window.addEventListener("load", () => setTimeout(() => {
  const painted = (plot) => Math.max(0, ...[...plot.querySelectorAll("canvas")].map((canvas) => {
    if (!canvas.width || !canvas.height) return 0;
    const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
    let count = 0;
    for (let i = 3; i < data.length; i += 4) count += data[i] > 0;
    return count;
  }));
  const plots = [...document.querySelectorAll("[role=img]")];
  parent.postMessage({
    width: innerWidth, charts: plots.length, blank: plots.filter((p) => painted(p) < 500).map((p) => p.getAttribute("aria-label")),
    silent: plots.filter((p) => !/\d/.test(p.getAttribute("aria-label") || "")).map((p) => p.closest("section").getAttribute("aria-label")),
    errors: window.kept, overflow: document.documentElement.scrollWidth - innerWidth, dark: matchMedia("(prefers-color-scheme: dark)").matches,
}, "*");
}, 300));
</script>)js";

std::string chromium() {
  for (const char* path : {"/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"}) {
    if (fs::exists(path)) return path;
  }
  return "";
}

/// Requests over a network that a page asked for. Those that the browser makes for itself have no origin.
void read_network_log(const fs::path& path, std::vector<std::string>& requests) {
  std::istringstream lines(read_text(path));
  for (std::string line; std::getline(lines, line);) {
    if (line.ends_with(",")) line.pop_back();
    const json event = json::parse(line, nullptr, false);
    if (!event.is_object() || !event.contains("params") || !event["params"].is_object()) continue;
    const json& about = event["params"];
    const std::string url = about.value("url", ""), origin = about.value("initiator", "");
    if (origin.empty() || origin == "not an origin") continue;
    for (const char* scheme : {"http:", "https:", "ws:", "wss:"}) {
      if (url.starts_with(scheme)) requests.push_back(url);
    }
  }
}

}  // namespace

std::optional<Browsed> browse(const fs::path& page, bool dark) {
  const std::string program = chromium();
  if (program.empty()) return std::nullopt;
  const Scratch scratch;
  std::string text = read_text(page);
  text.insert(text.find("<head>") + 6, kKeepErrors);
  text.insert(text.rfind("</body>"), kProbe);
  scratch.write("page.html", text);
  std::string around =
      "<!doctype html><body><pre id=\"shown\"></pre><script>const all = []; addEventListener('message', (e) => { all.push(e.data); "
      "document.getElementById('shown').textContent = JSON.stringify(all); });</script>";
  for (const int width : kWidths) around += fmt::format("<iframe src=\"page.html\" style=\"border:0;width:{}px;height:900px\"></iframe>", width);
  const std::string outer = scratch.write("around.html", around);
  const std::string log = (scratch.path() / "net.json").string();
  std::vector<std::string> words = {program,
                                    "--headless=new",
                                    "--disable-gpu",
                                    "--disable-background-networking",
                                    "--disable-component-update",
                                    "--disable-sync",
                                    "--no-first-run",
                                    "--user-data-dir=" + (scratch.path() / "profile").string(),
                                    "--window-size=1400,1000",
                                    fmt::format("--blink-settings=preferredColorScheme={}", dark ? 0 : 1),
                                    "--virtual-time-budget=8000",
                                    "--enable-logging=stderr",
                                    "--log-net-log=" + log,
                                    "--dump-dom"};
  if (geteuid() == 0) words.emplace_back("--no-sandbox");
  words.push_back("file://" + outer);
  const Ended ended = run_program(words);
  Browsed browsed;
  const std::size_t open = ended.out.find("<pre id=\"shown\">");
  const json all =
      open == std::string::npos ? json() : json::parse(ended.out.substr(open + 16, ended.out.find("</pre>") - open - 16), nullptr, false);
  for (const int width : kWidths) {
    for (const json& each : all.is_array() ? all : json::array()) {
      if (each["width"] != width) continue;
      browsed.frames.push_back({width, each["charts"], each["blank"], each["silent"], each["errors"], each["overflow"], each["dark"]});
    }
  }
  std::istringstream lines(ended.err);
  for (std::string line; std::getline(lines, line);) {
    if (line.find("CONSOLE") != std::string::npos) browsed.console.push_back(line);
  }
  read_network_log(log, browsed.requests);
  return browsed;
}

}  // namespace joulecast::test
