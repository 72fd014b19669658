#include "tests/integration/dram_rules.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

namespace gputlm {
namespace {

using Time = std::int64_t;  // in command cycles
constexpr Time kLongAgo = -1'000'000'000;

struct Device {
  explicit Device(const nlohmann::json& dram)
      : banks(dram.at("banks")), groups(dram.at("bank_groups")), buses(dram.at("command_buses")),
        burst(dram.at("burst_bytes").get<Time>() * 8 /
              (dram.at("bus_bits").get<Time>() * dram.at("bits_per_cycle").get<Time>())) {
    for (const auto& [name, value] : dram.at("timing").items()) timing[name] = value.get<Time>();
  }
  Time operator[](const char* name) const { return timing.at(name); }
  std::size_t banks, groups, buses;
  Time burst;  ///< that the data of a column command take the bus
  std::map<std::string, Time> timing;
};

/// One channel: what it must remember of the commands so far.
class Channel {
 public:
  explicit Channel(const Device& device)
      : t_(device), due_(device["tREFI"]), banks_(device.banks), groups_(device.groups) {
    activates_.fill(kLongAgo);
  }

  /// The rule that the command breaks; empty if it breaks none.
  std::string check(Time at, const std::string& command, std::size_t bank, const std::string& row) {
    if (at < last_) return "commands are in order";
    last_ = at;
    const bool column = command == "RD" || command == "WR";
    Time& on_bus = last_on_bus_[t_.buses > 1 && column ? 1 : 0];
    if (at <= on_bus) return "one command a cycle on a bus";
    on_bus = at;
    if (bank >= banks_.size()) return "no such bank";
    if (at < refreshed_ + t_["tRFC"]) return "tRFC";
    if (command == "REF") return refresh(at);
    Bank& b = banks_[bank];
    Group& g = groups_[bank % groups_.size()];
    if (command == "PRE") return precharge(at, b);
    if (t_["tREFI"] > 0 && at >= due_) return "a refresh is due";
    if (command == "ACT") return activate(at, b, g, row);
    if (!b.row) return "column command to a closed bank";
    if (*b.row != row) return "column command to another row than the open one";
    if (command == "RD") return read(at, b, g);
    if (command == "WR") return write(at, b, g);
    return "no such command";
  }

 private:
  struct Bank {
    std::optional<std::string> row;
    Time activated = kLongAgo, precharged = kLongAgo, read = kLongAgo, written = kLongAgo;  ///< written: data are in
  };
  struct Group {
    Time activated = kLongAgo, read = kLongAgo, write = kLongAgo, written = kLongAgo;
  };

  std::string refresh(Time at) {
    if (t_["tREFI"] == 0) return "a refresh of a device that needs none";
    if (at < due_) return "a refresh before it is due";
    Time closed = 0;  // how long it may take to close all banks, the last of which was just opened or written
    closed = std::max({t_["tRAS"], t_["tRTP"], t_["tWL"] + t_.burst + t_["tWR"]}) + static_cast<Time>(banks_.size()) +
             std::max(t_["tRP"], t_["tRC"]);
    if (at > due_ + closed) return "a late refresh";
    for (const Bank& bank : banks_) {
      if (bank.row) return "a refresh with an open bank";
      if (at < bank.precharged + t_["tRP"]) return "tRP before a refresh";
      if (at < bank.activated + t_["tRC"]) return "tRC before a refresh";
    }
    due_ += t_["tREFI"];
    refreshed_ = at;
    return "";
  }

  std::string precharge(Time at, Bank& b) {
    if (!b.row) return "precharge of a closed bank";
    if (at < b.activated + t_["tRAS"]) return "tRAS";
    if (at < b.read + t_["tRTP"]) return "tRTP";
    if (at < b.written + t_["tWR"]) return "tWR";
    b.row.reset();
    b.precharged = at;
    return "";
  }

  std::string activate(Time at, Bank& b, Group& g, const std::string& row) {
    if (b.row) return "activate of an open bank";
    if (at < b.activated + t_["tRC"]) return "tRC";
    if (at < b.precharged + t_["tRP"]) return "tRP";
    if (at < g.activated + t_["tRRDL"]) return "tRRDL";
    if (at < activates_[(next_ + 3) % 4] + t_["tRRDS"]) return "tRRDS";
    if (at < activates_[next_] + t_["tFAW"]) return "tFAW";  // the fourth activate before this one
    b.row = row;
    b.activated = g.activated = activates_[next_] = at;
    next_ = (next_ + 1) % 4;
    return "";
  }

  std::string read(Time at, Bank& b, Group& g) {
    if (at < b.activated + t_["tRCDRD"]) return "tRCDRD";
    if (at < read_ + t_["tCCDS"]) return "tCCDS, reads";
    if (at < g.read + t_["tCCDL"]) return "tCCDL, reads";
    if (at < written_ + t_["tWTRS"]) return "tWTRS";
    if (t_["tWTRL"] > 0 && at < g.written + t_["tWTRL"]) return "tWTRL";
    const Time data = at + t_["tCL"];
    if (data < bus_free_) return "two data on the bus";
    bus_free_ = read_data_end_ = data + t_.burst;
    b.read = g.read = read_ = at;
    return "";
  }

  std::string write(Time at, Bank& b, Group& g) {
    if (at < b.activated + t_["tRCDWR"]) return "tRCDWR";
    if (at < written_command_ + t_["tCCDS"]) return "tCCDS, writes";
    if (at < g.write + t_["tCCDL"]) return "tCCDL, writes";
    const Time data = at + t_["tWL"];
    if (data < read_data_end_ + t_["tRTW"]) return "tRTW";
    if (data < bus_free_) return "two data on the bus";
    bus_free_ = data + t_.burst;
    b.written = g.written = written_ = bus_free_;
    g.write = written_command_ = at;
    return "";
  }

  const Device& t_;
  Time due_;
  std::vector<Bank> banks_;
  std::vector<Group> groups_;
  std::array<Time, 4> activates_{};  ///< the last four, from next_ on
  std::size_t next_ = 0;
  std::array<Time, 2> last_on_bus_{-1, -1};
  Time last_ = -1, refreshed_ = kLongAgo;
  Time read_ = kLongAgo, written_command_ = kLongAgo, written_ = kLongAgo;
  Time read_data_end_ = kLongAgo, bus_free_ = kLongAgo;
};

}  // namespace

CheckedCommands check_commands(std::istream& csv, const nlohmann::json& dram) {
  const Device device(dram);
  std::vector<Channel> channels(dram.at("channels").get<std::size_t>(), Channel(device));
  CheckedCommands checked;
  std::string line;
  std::getline(csv, line);
  if (line != "cycle,channel,command,bank,row") {
    checked.violation = "unknown header " + line;
    return checked;
  }
  const std::map<std::string, std::uint64_t*> counts = {{"ACT", &checked.activates},
                                                        {"PRE", &checked.precharges},
                                                        {"RD", &checked.reads},
                                                        {"WR", &checked.writes},
                                                        {"REF", &checked.refreshes}};
  for (std::size_t number = 2; std::getline(csv, line); ++number) {
    long long at = 0;
    std::size_t channel = 0, bank = 0;
    std::array<char, 4> command{};
    std::array<char, 32> row{};
    const int fields =
        std::sscanf(line.c_str(), "%lld,%zu,%3[A-Z],%zu,%31s", &at, &channel, command.data(), &bank, row.data());
    std::string broken = fields < 4 || channel >= channels.size() ? "not a command" : "";
    if (broken.empty()) broken = channels[channel].check(at, command.data(), bank, row.data());
    if (!broken.empty()) {
      checked.violation = "line " + std::to_string(number) + " (" + line + "): " + broken;
      return checked;
    }
    ++*counts.at(command.data());
  }
  return checked;
}

}  // namespace gputlm
