#include "platform/run/instances.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <regex>
#include <set>
#include <string>
#include <utility>

#include "platform/input/preset.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

/// Names of MIG's profiles, as nvidia-smi prints them (`nvidia-smi -L`, `mig -lgip`, `mig -lcip`) and users write them, in
/// upper or lower case:
///
///   3g.40gb, MIG 3g.40gb           a GPU instance; `3g` alone means the one with the usual memory
///   1g.10gb+me, +me.all, +gfx, -me with media engines, with all of them, with graphics, without media engines; the SMs and
///                                  the memory are those of the name without it
///   MIG 1c.3g.40gb                 a compute instance: one slice of the SMs of a GPU instance 3g.40gb
///
/// NVIDIA, "Multi-Instance GPU User Guide", chapters "Terminology", "MIG Device Names" and "Supported MIG Profiles".
struct MigProfile {
  unsigned slices = 0;  ///< slices of a compute instance; 0: a GPU instance
  unsigned sevenths = 0;
  std::optional<unsigned> gigabytes = std::nullopt;

  /// Name of the GPU instance: `3g.40gb`.
  std::string gpu_instance() const;
};

std::string MigProfile::gpu_instance() const {
  return gigabytes ? fmt::format("{}g.{}gb", sevenths, *gigabytes) : fmt::format("{}g", sevenths);
}

/// The parts of a profile's name; none if the text is not such a name.
std::optional<MigProfile> parse_mig_profile(const std::string& name) {
  static const std::regex form(R"((?:MIG +)?(?:(\d)c\.)?(\d)g(?:\.(\d{1,4})gb)?(?:\+me|\+me\.all|\+gfx|-me)?)",
                               std::regex::icase);
  std::smatch found;
  if (!std::regex_match(name, found, form)) return std::nullopt;
  const auto number = [&](std::size_t group) { return static_cast<unsigned>(std::stoul(found[group])); };
  MigProfile profile;
  if (found[1].matched) profile.slices = number(1);
  profile.sevenths = number(2);
  if (found[3].matched) profile.gigabytes = number(3);
  return profile;
}

/// Sevenths of the GPU, which are GPCs unless more is known, and eighths of the memory: A100, H100 and their successors are
/// divided like this (NVIDIA, Multi-Instance GPU User Guide, "Supported MIG Profiles").
struct Profile {
  unsigned sevenths, eighths;
  unsigned MigConfig::*sms;
};
constexpr std::array<Profile, 5> kProfiles{{{1, 1, &MigConfig::sms_1g},
                                            {2, 2, &MigConfig::sms_2g},
                                            {3, 4, &MigConfig::sms_3g},
                                            {4, 4, &MigConfig::sms_4g},
                                            {7, 8, &MigConfig::sms_7g}}};
constexpr unsigned kEighths = 8;

unsigned gigabytes(const GpuConfig& gpu, unsigned eighths) {
  return static_cast<unsigned>(((gpu.mmu.device_memory * eighths / kEighths) + (Bytes{1} << 29)) >> 30);
}

std::string profiles_of(const GpuConfig& gpu) {
  std::vector<std::string> names;
  for (const Profile& profile : kProfiles)
    names.push_back(fmt::format("{0}g ({0}g.{1}gb)", profile.sevenths, gigabytes(gpu, profile.eighths)));
  return fmt::format("{}", fmt::join(names, ", "));
}

/// An instance's share of the GPU.
struct Share {
  unsigned gpcs, channels, copy_engines;
  unsigned sms;  ///< 0: all SMs of the GPCs
};

/// On an H100 the SMs of a profile need more GPCs than it has sevenths: 7g has all eight.
unsigned gpcs_for(const GpuConfig& gpu, unsigned sms) { return (sms + gpu.sms_per_gpc - 1) / gpu.sms_per_gpc; }

/// Rejects a part of the SMs of a GPU instance, whose memory, L2 and copy engines its compute instances share.
[[noreturn]] void refuse_compute_instance(const InstanceSpec& spec, const MigProfile& profile) {
  refuse(
      spec,
      "found profile '{}', a compute instance: {} of the {} slices of SMs of the GPU instance {}, with all its memory; "
      "allowed: GPU instances, {} here, in which `sms` of an application gives it SMs of its own",
      *spec.profile, profile.slices, profile.sevenths, profile.gpu_instance(), profile.gpu_instance());
}

/// On a GPU without MIG a profile stands for whole GPCs, of which there may be too few.
std::string hint_of_profiles(const GpuConfig& gpu, const InstanceSpec& spec) {
  if (!spec.profile || gpu.mig.sms_7g > 0) return "";
  std::vector<std::string> with;
  for (const PresetInfo& preset : presets()) {
    if (preset.config.mig.sms_7g > 0) with.push_back(preset.name);
  }
  return fmt::format(
      "; {} has no profiles of NVIDIA's, so one stands for as many GPCs as its name has sevenths: {} have", gpu.name,
      fmt::join(with, ", "));
}

Share share_of_profile(const GpuConfig& gpu, const InstanceSpec& spec) {
  const std::optional<MigProfile> named = parse_mig_profile(*spec.profile);
  if (named && named->slices > 0) refuse_compute_instance(spec, *named);
  const Profile* profile = nullptr;
  for (const Profile& one : kProfiles) {
    if (named && named->sevenths == one.sevenths) profile = &one;
  }
  std::optional<unsigned> eighths;
  if (profile) eighths = profile->eighths;
  if (profile &&
      named->gigabytes) {  // the name may stand for another part of the memory: 1g.20gb is two eighths of 80 GB
    eighths.reset();
    const int wanted = static_cast<int>(*named->gigabytes);
    for (unsigned n = profile->eighths; n <= kEighths && !eighths; ++n) {
      if (std::abs(wanted - static_cast<int>(gigabytes(gpu, n))) <= 1) eighths = n;
    }
  }
  if (!eighths) {
    refuse(spec, "found profile '{}', allowed on {} with mmu.device_memory={}: {}", *spec.profile, gpu.name,
           gpu.mmu.device_memory, profiles_of(gpu));
  }
  if (gpu.dram.channels % kEighths != 0) {
    refuse(spec,
           "found profile '{}' on {}, which has {} DRAM channels; profiles need memory in eighths, allowed: 'gpcs' and "
           "'channels'{}",
           *spec.profile, gpu.name, gpu.dram.channels, hint_of_profiles(gpu, spec));
  }
  const unsigned sms = profile->sevenths == 1 && *eighths == 2 ? gpu.mig.sms_1g_double : gpu.mig.*profile->sms;
  return {sms > 0 ? gpcs_for(gpu, sms) : profile->sevenths, gpu.dram.channels / kEighths * *eighths, profile->sevenths,
          sms};
}

Share share_of(const GpuConfig& gpu, const InstanceSpec& spec) {
  if (spec.profile) return share_of_profile(gpu, spec);
  const unsigned gpcs = spec.gpcs.value_or(0);
  return {gpcs, spec.channels.value_or(0), gpcs, spec.sms.value_or(0)};
}

void check(const GpuConfig& gpu, const std::vector<InstanceSpec>& specs, const std::vector<Share>& shares) {
  unsigned gpcs = 0, channels = 0;
  std::set<std::string> names;
  for (std::size_t i = 0; i < specs.size(); ++i) {
    if (!names.insert(specs[i].name).second) refuse(specs[i], "found a second instance of this name, allowed: one");
    if (shares[i].gpcs == 0 || shares[i].channels == 0)
      refuse(specs[i], "found no share, allowed: 'profile', or 'gpcs' and 'channels'");
    gpcs += shares[i].gpcs;
    channels += shares[i].channels;
    if (gpcs > gpu.gpcs())
      refuse(specs[i], "needs GPC {}, allowed: {} GPCs of {} together{}", gpcs, gpu.gpcs(), gpu.name,
             hint_of_profiles(gpu, specs[i]));
    if (channels > gpu.dram.channels) {
      refuse(specs[i], "needs DRAM channel {}, allowed: {} channels of {} together{}", channels, gpu.dram.channels,
             gpu.name, hint_of_profiles(gpu, specs[i]));
    }
  }
}

/// GPCs of an instance: some from each half of the GPU.
struct Place {
  unsigned first_half = 0, second_half = 0;
  bool has_last = false;  ///< includes the GPU's last GPC, which may have fewer SMs
};

/// Places the largest first, each in the half where it leaves least, so that as few instances as possible span both halves.
std::vector<Place> places(const GpuConfig& gpu, const std::vector<Share>& shares) {
  std::array<unsigned, 2> left{gpu.gpcs(), 0};
  if (gpu.l2.partitions > 1) left = {gpu.gpcs_in_first_half(), gpu.gpcs() - gpu.gpcs_in_first_half()};
  const bool is_divided = left[1] > 0;
  std::vector<std::size_t> order(shares.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return shares[a].gpcs > shares[b].gpcs; });
  std::vector<Place> all(shares.size());
  for (const std::size_t i : order) {
    const unsigned gpcs = shares[i].gpcs;
    const bool fits_first = gpcs <= left[0], fits_second = gpcs <= left[1];
    Place& place = all[i];
    if (fits_second && (!fits_first || left[1] <= left[0])) {
      place.second_half = gpcs;
    } else {
      place.first_half = std::min(gpcs, left[0]);
      place.second_half = gpcs - place.first_half;
    }
    left[0] -= place.first_half;
    left[1] -= place.second_half;
    place.has_last = is_divided ? place.second_half > 0 && left[1] == 0 : left[0] == 0;
  }
  return all;
}

/// SMs used in each GPC of an instance: if GPCs differ, the minimum.
unsigned sms_of_each_gpc(const GpuConfig& gpu) {
  if (gpu.gpc_sms == "even") return gpu.sms_per_gpc;
  const std::vector<unsigned> sms = gpu.sms_of_gpcs();
  return *std::min_element(sms.begin(), sms.end());
}

/// SMs of an instance. Profiles use only the SMs that every die has, whichever of its GPCs has fewer.
unsigned sms_of(const GpuConfig& gpu, const InstanceSpec& spec, const Share& share, const Place& place) {
  if (spec.profile && share.sms > 0) return share.sms;
  unsigned all = share.gpcs * sms_of_each_gpc(gpu);
  if (place.has_last && gpu.gpc_sms == "even") all -= gpu.sms_per_gpc - gpu.sms_of_gpc(gpu.gpcs() - 1);
  if (share.sms == 0) return all;
  const unsigned of_each = (share.sms + share.gpcs - 1) / share.gpcs;
  if (share.sms > all || of_each * (share.gpcs - 1) >= share.sms) {
    refuse(spec, "found {} SMs, allowed: up to {}, the same number of each of its {} GPCs but the last", share.sms, all,
           share.gpcs);
  }
  return share.sms;
}

/// The fraction share / of of `all`, but at least one.
unsigned part(unsigned all, unsigned share, unsigned of) { return std::max(1u, all * share / of); }

GpuConfig config_of(const GpuConfig& gpu, const InstanceSpec& spec, const Share& share, const Place& place) {
  GpuConfig config = gpu;
  config.instances.clear();
  config.name = gpu.name + ", instance " + spec.name;
  config.sms = sms_of(gpu, spec, share, place);
  config.sms_per_gpc = share.sms > 0 ? (config.sms + share.gpcs - 1) / share.gpcs : sms_of_each_gpc(gpu);
  config.gpc_sms = "even";
  config.dram.channels = share.channels;
  config.l2.bytes = gpu.l2.bytes / gpu.slices() * config.slices();
  if (place.first_half == 0 || place.second_half == 0) config.l2.partitions = 1;
  config.gpcs_of_first_half = place.first_half;
  config.copy_engine.engines = spec.copy_engines.value_or(share.copy_engines);
  config.mmu.device_memory = spec.memory.value_or(gpu.mmu.device_memory / gpu.dram.channels * share.channels);
  if (config.mmu.device_memory < gpu.mmu.block_bytes || config.mmu.device_memory > gpu.mmu.device_memory) {
    refuse(spec, "found {} bytes of memory, allowed: {} to {}", config.mmu.device_memory, gpu.mmu.block_bytes,
           gpu.mmu.device_memory);
  }
  if (!spec.shared_tlb) {
    const unsigned ways = gpu.mmu.tlb_ways;
    config.mmu.tlb_entries = part(gpu.mmu.tlb_entries / ways, share.channels, gpu.dram.channels) * ways;
    config.mmu.walkers = part(gpu.mmu.walkers, share.channels, gpu.dram.channels);
  }
  return config;
}

std::string names_of(const std::vector<InstanceSpec>& specs) {
  std::vector<std::string> names;
  names.reserve(specs.size());
  for (const InstanceSpec& spec : specs) names.push_back(spec.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

const std::vector<InstanceSpec>& instances_of(const GpuConfig& gpu, const Workload& workload) {
  return workload.instances.empty() ? gpu.instances : workload.instances;
}

std::vector<Instance> instances(const GpuConfig& gpu, const std::vector<InstanceSpec>& specs) {
  if (specs.empty()) return {Instance{InstanceSpec{}, gpu, 0}};
  std::vector<Share> shares;
  shares.reserve(specs.size());
  for (const InstanceSpec& spec : specs) shares.push_back(share_of(gpu, spec));
  check(gpu, specs, shares);
  const std::vector<Place> where = places(gpu, shares);
  std::vector<Instance> all;
  unsigned sms = 0;
  for (std::size_t i = 0; i < specs.size(); ++i) {
    all.push_back({specs[i], config_of(gpu, specs[i], shares[i], where[i]), sms});
    sms += all.back().config.sms;
    if (sms > gpu.sms) refuse(specs[i], "needs SM {}, allowed: {} SMs of {} together", sms, gpu.sms, gpu.name);
  }
  return all;
}

GpuParts::GpuParts(const GpuConfig& gpu, const Workload& workload)
    : divided_(!instances_of(gpu, workload).empty()), parts_(instances(gpu, instances_of(gpu, workload))) {
  const std::vector<InstanceSpec>& specs = instances_of(gpu, workload);
  for (const ApplicationSpec& application : workload.applications) {
    if (!divided_) {
      if (application.instance)
        refuse(application,
               "found instance '{}', allowed: none, since neither the workload nor the GPU has 'instances'",
               *application.instance);
      of_.push_back(0);
      continue;
    }
    if (!application.instance) refuse(application, "found no 'instance', allowed: {}", names_of(specs));
    const auto found = std::find_if(specs.begin(), specs.end(),
                                    [&](const InstanceSpec& spec) { return spec.name == *application.instance; });
    if (found == specs.end())
      refuse(application, "found instance '{}', allowed: {}", *application.instance, names_of(specs));
    of_.push_back(static_cast<unsigned>(found - specs.begin()));
  }
}

std::vector<LaunchCommand> GpuParts::launches(std::size_t part, const Workload& workload) const {
  std::vector<LaunchCommand> launches;
  for (const LaunchCommand& launch : workload.launches) {
    if (of_[workload.streams[launch.stream].application] == part) launches.push_back(launch);
  }
  return launches;
}

std::vector<EngineShare> GpuParts::engine_shares(std::size_t part,
                                                 const std::vector<ApplicationSpec>& applications) const {
  std::vector<EngineShare> shares(applications.size());
  for (std::size_t a = 0; a < applications.size(); ++a) {
    if (of_[a] == part) shares[a] = applications[a].share;
  }
  return shares;
}

}  // namespace gputlm
