#include "tests/support/ncu_table.h"

#include <algorithm>
#include <fstream>
#include <initializer_list>
#include <stdexcept>

namespace gputlm {
namespace {

std::string quoted(const std::string& cell) {
  std::string text = "\"";
  for (const char c : cell) text += c == '"' ? "\"\"" : std::string(1, c);
  return text + '"';
}

template <class List>
std::string line(const List& cells) {
  std::string text;
  for (const std::string& cell : cells) text += (text.empty() ? "" : ",") + quoted(cell);
  return text + "\n";
}

std::string line(std::initializer_list<std::string> cells) { return line(std::vector<std::string>(cells)); }

const std::vector<std::string> kOfALaunch{"ID",     "Process ID", "Process Name", "Host Name", "Kernel Name", "Context",
                                          "Stream", "Block Size", "Grid Size",    "Device",    "CC"};

}  // namespace

NcuTable& NcuTable::launch(const std::string& kernel, const std::string& block, const std::string& grid,
                           const std::vector<Metric>& metrics, unsigned times) {
  launches_.push_back({kernel, block, grid, metrics, times});
  return *this;
}

/// What the tool says, and what the program prints in between.
std::string NcuTable::before() const {
  std::string text = "==PROF== Connected to process 4242 (/opt/app/decode)\nloading \"weights\", 3 shards\n";
  for (std::size_t i = 0; i < launches_.size(); ++i) {
    const std::string function = launches_[i].kernel.substr(0, launches_[i].kernel.find('('));
    text += "==PROF== Profiling \"" + function + "\" - " + std::to_string(i) + ": 0%....50%....100% - 8 passes\n";
  }
  return text + "step 1, loss 2.5\n";
}

std::string NcuTable::long_text() const {
  std::vector<std::string> header = kOfALaunch;
  for (const char* column : {"Section Name", "Metric Name", "Metric Unit", "Metric Value", "Rule Name", "Rule Type",
                             "Rule Description", "Estimated Speedup Type", "Estimated Speedup"})
    header.emplace_back(column);
  std::string text = before() + line(header);
  for (std::size_t i = 0; i < launches_.size(); ++i) {
    const Launch& l = launches_[i];
    const std::string id = std::to_string(i);
    for (const Metric& m : l.metrics) {
      std::string row = line({id, "4242", "decode", "127.0.0.1", l.kernel, "1", "7", l.block, l.grid, "0", "8.0",
                              m.section, m.name, m.unit, m.value});
      row.back() = ',';  // the first column of rules is empty, the others are not there
      text += row + "\n";
    }
    text += line({id,       "4242",
                  "decode", "127.0.0.1",
                  l.kernel, "1",
                  "7",      l.block,
                  l.grid,   "0",
                  "8.0",    "SpeedOfLight",
                  "",       "",
                  "",       "SOLBottleneck",
                  "OPT",    "Memory is more heavily utilized than Compute: look at the \"L2\",\nor DRAM.",
                  "",       ""});
  }
  return text + after();
}

std::string NcuTable::wide_text() const {
  std::vector<std::string> header = kOfALaunch, units(kOfALaunch.size());
  for (const Launch& launch : launches_) {
    for (const Metric& metric : launch.metrics) {
      const auto known = std::find(header.begin(), header.end(), metric.name);
      if (known == header.end()) {
        header.push_back(metric.name);
        units.push_back(metric.unit);
      } else if (units[static_cast<std::size_t>(known - header.begin())] != metric.unit) {
        throw std::logic_error(metric.name + " has two units in a column");
      }
    }
  }
  std::string text = before() + line(header) + line(units);
  for (std::size_t i = 0; i < launches_.size(); ++i) {
    const Launch& l = launches_[i];
    std::vector<std::string> row{std::to_string(i), "4242", "decode", "127.0.0.1", l.kernel, "1", "7",
                                 l.block,           l.grid, "0",      "8.0"};
    for (std::size_t c = row.size(); c < header.size(); ++c) {
      const auto metric =
          std::find_if(l.metrics.begin(), l.metrics.end(), [&](const Metric& m) { return m.name == header[c]; });
      row.push_back(metric == l.metrics.end() ? "n/a" : metric->value);
    }
    text += line(row);
  }
  return text + after();
}

std::string NcuTable::summary_text(unsigned invocations, bool shapes) const {
  std::vector<std::string> header{"Process ID"};
  if (shapes) {
    for (const char* column : {"Process Name", "Host Name"}) header.emplace_back(column);
  }
  header.emplace_back("Kernel Name");
  if (shapes) {
    for (const char* column : {"Block Size", "Grid Size", "Device", "CC"}) header.emplace_back(column);
  }
  for (const char* column :
       {"Invocations", "Section Name", "Metric Name", "Metric Unit", "Minimum", "Maximum", "Average"})
    header.emplace_back(column);
  std::string text = before() + line(header);
  for (const Launch& l : launches_) {
    for (const Metric& m : l.metrics) {
      std::vector<std::string> row{"4242"};
      if (shapes) row.insert(row.end(), {"decode", "127.0.0.1"});
      row.push_back(l.kernel);
      if (shapes) row.insert(row.end(), {l.block, l.grid, "0", "11.0"});
      row.insert(row.end(),
                 {std::to_string(l.times * invocations), m.section, m.name, m.unit, "1", "9,999,999.00", m.value});
      text += line(row);
    }
  }
  return text + after();
}

void NcuTable::write(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

}  // namespace gputlm
