#include "testbench/lockstep/code_coverage.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>

#include "tlm/base/error.h"

namespace gputlm {
namespace {

std::vector<std::string> lines_of(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw InputError(path + ": cannot be read");
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

/// A field of a point: \1 NAME \2 VALUE, up to the next \1 or the closing quote.
std::string field(const std::string& point, const std::string& name) {
  const std::string key = '\1' + name + '\2';
  const std::size_t at = point.find(key);
  if (at == std::string::npos) return "";
  const std::size_t begin = at + key.size();
  return point.substr(begin, point.find_first_of("\1'", begin) - begin);
}

/// Whether `excused`, a waiver up to its colon, covers `name`, module.signal[bit].
bool excuses(const std::string& excused, const std::string& name) {
  const std::string signal = name.substr(0, name.find('['));
  if (excused == name || excused == signal) return true;
  static const std::regex matrix(R"((.*)\[j(>?)=i of (\d+)\])");
  std::smatch parts;
  if (!std::regex_match(excused, parts, matrix) || parts[1] != signal || signal == name) return false;
  const unsigned long bit = std::stoul(name.substr(signal.size() + 1));
  const unsigned long size = std::stoul(parts[3]);
  const unsigned long i = bit / size, j = bit % size;
  return j == i || (j > i && parts[2] == ">");
}

/// The waiver for `name`, if there is one.
std::string waiver_of(const std::vector<std::string>& waivers, const std::string& name) {
  for (const std::string& waiver : waivers) {
    if (excuses(waiver.substr(0, waiver.find(": ")), name)) return waiver;
  }
  return "";
}

/// The points of all runs, and whether any run reached them.
std::map<std::string, bool> points_of(const std::vector<std::string>& data_paths) {
  std::map<std::string, bool> reached;
  for (const std::string& path : data_paths) {
    for (const std::string& line : lines_of(path)) {
      const std::size_t count = line.rfind(' ');
      if (count != std::string::npos) reached[line.substr(0, count)] |= line.substr(count) != " 0";
    }
  }
  return reached;
}

}  // namespace

CodeCoverage read_code_coverage(const std::vector<std::string>& data_paths, const std::string& waivers_path) {
  const std::vector<std::string> waivers = lines_of(waivers_path);
  CodeCoverage coverage;
  for (const auto& [point, reached] : points_of(data_paths)) {
    const std::string page = field(point, "page");  // v_toggle/module__parameters
    if (page.compare(0, 2, "v_") != 0) continue;
    CodeCoverage::Kind& kind = coverage.kinds[page.substr(2, page.find('/') - 2)];
    ++kind.points;
    if (reached) {
      ++kind.reached;
      continue;
    }
    const std::filesystem::path file = field(point, "f");
    const std::string waiver = waiver_of(waivers, file.stem().string() + "." + field(point, "o"));
    if (waiver.empty()) {
      coverage.missing.push_back(file.filename().string() + ":" + field(point, "l") + " " + field(point, "o"));
    } else {
      std::vector<std::string>& excused = coverage.excused;
      if (std::find(excused.begin(), excused.end(), waiver) == excused.end()) excused.push_back(waiver);
    }
  }
  if (coverage.kinds.empty()) throw InputError("--waivers: the design was built without coverage of lines");
  return coverage;
}

}  // namespace gputlm
