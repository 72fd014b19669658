/// The ways to share that GPUs offer.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "models/policy/options.h"
#include "models/work_distributor/sm_share.h"
#include "platform/run/instances.h"
#include "platform/share/ways.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kEngine = "work_distributor.application";

/// The entries of all applications, each with one key.
template <class Value>
Json each(const std::vector<std::string>& programs, const std::string& key, const std::vector<Value>& values) {
  Json list = Json::array();
  for (std::size_t p = 0; p < programs.size(); ++p) list.push_back({{"name", programs[p]}, {key, values[p]}});
  return list;
}

std::string joined(const std::string& name, const std::vector<unsigned>& parts) {
  return fmt::format("{}-{}", name, fmt::join(parts, "-"));
}

std::vector<SharingWay> streams(const ToShare&) { return {{"streams", "", {{"settings", {{kEngine, "concurrent"}}}}}}; }

std::vector<SharingWay> priorities(const ToShare& what) {
  if (what.gpu.work_distributor.priorities < 2) return {};
  std::vector<SharingWay> ways;
  for (std::size_t first = 0; first < what.programs.size(); ++first) {
    std::vector<int> levels(what.programs.size(), 0);
    levels[first] = -1;
    ways.push_back(
        {"priority-" + what.programs[first],
         "",
         {{"settings", {{kEngine, "concurrent"}}}, {"applications", each(what.programs, "priority", levels)}}});
  }
  return ways;
}

/// GPUs from Pascal on preempt blocks at the end of a slice (NVIDIA, "Tesla P100" whitepaper, "Compute Preemption").
std::vector<SharingWay> time_slices(const ToShare&) {
  return {
      {"time-slices",
       "",
       {{"settings", {{kEngine, "time_sliced"}, {"work_distributor.time_sliced.instruction_preemption", "true"}}}}}};
}

constexpr unsigned kPartsOfARound = 16;

/// Rounds in which each program has one slice, by the mean slice in us: from the shortest that are useful given the cost of a
/// switch (tens of us) to beyond those of drivers.
std::vector<unsigned> rounds(const ToShare&) { return {128, 256, 512, 1024, 2048, 4096}; }

/// `split`: parts of a round; a program's mean is one part.
SharingWay slices_split(const ToShare& what, const std::vector<unsigned>& split, unsigned mean_us) {
  std::vector<unsigned> slices;
  for (const unsigned part : split) slices.push_back(std::max(1u, mean_us * part / kPartsOfARound));
  SharingWay way = time_slices(what).front();
  way.name = joined("slices", slices);
  way.change["applications"] = each(what.programs, "time_slice_us", slices);
  return way;
}

/// `split`: in per cent.
SharingWay mps_split(const ToShare& what, const std::vector<unsigned>& split, unsigned = 1) {
  return {joined("mps", split),
          "",
          {{"settings", {{kEngine, "partitioned"}}},
           {"applications", each(what.programs, "active_thread_percentage", split)}}};
}

std::vector<SharingWay> mps(const ToShare& what) {
  std::vector<SharingWay> ways{{"mps", "", {{"settings", {{kEngine, "partitioned"}}}}}};
  if (what.programs.size() < 2) return ways;
  for (const std::vector<unsigned>& split : splits(what.programs.size())) ways.push_back(mps_split(what, split));
  return ways;
}

SmGranularity granularity_of(const ToShare& what) {
  return read_options<SmGranularity>(what.gpu.work_distributor.options, "partitioned");
}

/// `sms`: number for each program.
SharingWay green_split(const ToShare& what, const std::vector<unsigned>& sms) {
  return {joined("green", sms),
          "",
          {{"settings", {{kEngine, "partitioned"}}}, {"applications", each(what.programs, "green_context_sms", sms)}}};
}

/// SMs of a split at the GPU's granularity: the last program gets the rest. Empty if that is nothing.
std::vector<unsigned> green_sms(const std::vector<unsigned>& percent, unsigned sms, const SmGranularity& granularity) {
  std::vector<unsigned> parts;
  unsigned left = sms;
  for (std::size_t p = 0; p + 1 < percent.size(); ++p) {
    const unsigned step = granularity.green_step;
    const unsigned nearest = (sms * percent[p] / 100 + step / 2) / step * step;
    parts.push_back(std::max(granularity.green_least, nearest));
    if (parts.back() >= left) return {};
    left -= parts.back();
  }
  parts.push_back(left);
  return parts;
}

std::vector<SharingWay> green_contexts(const ToShare& what) {
  if (what.programs.size() < 2) return {};
  std::vector<SharingWay> ways;
  for (const std::vector<unsigned>& split : splits(what.programs.size())) {
    const std::vector<unsigned> sms = green_sms(split, what.gpu.sms, granularity_of(what));
    if (sms.empty()) continue;
    SharingWay way = green_split(what, sms);
    const auto same = [&](const SharingWay& other) { return other.name == way.name; };
    if (std::none_of(ways.begin(), ways.end(), same)) ways.push_back(std::move(way));
  }
  return ways;
}

/// The last program gets what does not fill a granule.
SharingWay green_of_granules(const ToShare& what, const std::vector<unsigned>& split, unsigned) {
  const unsigned step = granularity_of(what).green_step;
  std::vector<unsigned> sms;
  for (const unsigned granules : split) sms.push_back(granules * step);
  sms.back() += what.gpu.sms % step;
  return green_split(what, sms);
}

/// Combinations of MIG profiles that fit side by side (NVIDIA, "Multi-Instance GPU User Guide", "Supported MIG Profiles") and
/// of which none could be larger.
class Profiles {
 public:
  explicit Profiles(const ToShare& what) : what_(what) {}

  std::vector<SharingWay> ways() {
    std::vector<std::size_t> choice(what_.programs.size(), 0);
    std::vector<SharingWay> all;
    do {
      if (fits(choice) && is_largest(choice)) all.push_back(way(choice));
    } while (advance(choice));
    return all;
  }

 private:
  static constexpr unsigned kSevenths[] = {1, 2, 3, 4, 7};

  static bool advance(std::vector<std::size_t>& choice) {
    for (std::size_t& place : choice) {
      if (++place < std::size(kSevenths)) return true;
      place = 0;
    }
    return false;
  }

  bool fits(const std::vector<std::size_t>& choice) const {
    unsigned sevenths = 0;
    for (const std::size_t place : choice) sevenths += kSevenths[place];
    if (sevenths > 7) return false;
    std::vector<InstanceSpec> specs;
    for (std::size_t p = 0; p < choice.size(); ++p) {
      InstanceSpec spec;
      spec.name = what_.programs[p];
      spec.profile = name_of(choice[p]);
      specs.push_back(std::move(spec));
    }
    try {
      instances(what_.gpu, specs);
    } catch (const InputError&) {
      return false;
    }
    return true;
  }

  bool is_largest(const std::vector<std::size_t>& choice) const {
    for (std::size_t p = 0; p < choice.size(); ++p) {
      std::vector<std::size_t> larger = choice;
      if (++larger[p] < std::size(kSevenths) && fits(larger)) return false;
    }
    return true;
  }

  static std::string name_of(std::size_t place) { return fmt::format("{}g", kSevenths[place]); }

  SharingWay way(const std::vector<std::size_t>& choice) const {
    SharingWay way{"instances", "", Json::object()};
    for (std::size_t p = 0; p < choice.size(); ++p) {
      way.name += "-" + name_of(choice[p]);
      way.change["instances"][what_.programs[p]] = name_of(choice[p]);
    }
    way.change["settings"] = {{kEngine, "concurrent"}};
    way.change["applications"] = each(what_.programs, "instance", what_.programs);
    return way;
  }

  const ToShare& what_;
};

std::vector<SharingWay> instances_of_mig(const ToShare& what) {
  if (what.gpu.mig.sms_1g == 0 || what.programs.size() < 2) return {};
  return Profiles(what).ways();
}

double dram_bytes_a_us(const DramConfig& dram) {
  return static_cast<double>(dram.channels) * dram.bus_bits / 8 * dram.bits_per_cycle * dram.command_mhz;
}

bool have_budgets(const ToShare& what) { return what.use_memory && what.programs.size() > 1; }

/// Bytes per microsecond of each program; 0: unlimited.
SharingWay budgets(const ToShare& what, const std::string& name, const std::vector<std::uint64_t>& bytes) {
  Json applications = Json::array();
  for (std::size_t p = 0; p < what.programs.size(); ++p) {
    if (bytes[p] > 0)
      applications.push_back({{"name", what.programs[p]}, {"memory_budget", {{"bytes", bytes[p]}, {"period_us", 1}}}});
  }
  return {
      name, "", {{"settings", {{kEngine, "concurrent"}, {"noc.regulator", "hard"}}}, {"applications", applications}}};
}

/// Half of the DRAM's bandwidth for all programs but one.
std::vector<SharingWay> memory_budgets(const ToShare& what) {
  if (!have_budgets(what)) return {};
  const std::size_t programs = what.programs.size();
  const auto budget =
      static_cast<std::uint64_t>(dram_bytes_a_us(what.gpu.dram) / 2 / static_cast<double>(programs - 1));
  std::vector<SharingWay> ways;
  for (std::size_t first = 0; first < programs; ++first) {
    std::vector<std::uint64_t> bytes(programs, budget);
    bytes[first] = 0;
    ways.push_back(budgets(what, "budget-for-" + what.programs[first], bytes));
  }
  return ways;
}

constexpr unsigned kPartsOfTheDram = 20;

/// `split`: twentieths of the DRAM's bandwidth.
SharingWay budgets_split(const ToShare& what, const std::vector<unsigned>& split, unsigned) {
  std::vector<unsigned> percent;
  std::vector<std::uint64_t> bytes;
  for (const unsigned part : split) {
    percent.push_back(part * 100 / kPartsOfTheDram);
    bytes.push_back(static_cast<std::uint64_t>(dram_bytes_a_us(what.gpu.dram) * part / kPartsOfTheDram));
  }
  return budgets(what, joined("budgets", percent), bytes);
}

GPUTLM_REGISTER {
  way_kinds().add({{"streams", 0}, "One context, in which each program has its own streams", streams});
  way_kinds().add({{"priorities", 1}, "The same, where streams of one program are more urgent", priorities});
  way_kinds().add({{"time-slices", 2},
                   "One context per program, one at a time",
                   time_slices,
                   [](const ToShare& what) { return kPartsOfARound * static_cast<unsigned>(what.programs.size()); },
                   slices_split,
                   rounds});
  way_kinds().add({{"mps", 3},
                   "One MPS client per program, without and with percentages",
                   mps,
                   [](const ToShare&) { return 100u; },
                   mps_split});
  way_kinds().add({{"green-contexts", 4},
                   "Separate SMs for each program",
                   green_contexts,
                   [](const ToShare& what) { return what.gpu.sms / granularity_of(what).green_step; },
                   green_of_granules});
  way_kinds().add({{"instances", 5}, "One MIG instance per program", instances_of_mig});
  way_kinds().add({{"budgets", 6},
                   "One context, where all programs but one have a memory budget",
                   memory_budgets,
                   [](const ToShare& what) { return have_budgets(what) ? kPartsOfTheDram : 0; },
                   budgets_split});
}

}  // namespace
}  // namespace gputlm
