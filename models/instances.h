/// MIG-like instances of a GPU, as the user specifies them: each is a separate GPU with whole GPCs, whole DRAM channels
/// with their L2 slices, and copy engines (platform/run/instances.h builds it). Names and shares of profiles: NVIDIA,
/// "Multi-Instance GPU User Guide", chapter "Supported MIG Profiles".
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "tlm/base/record.h"
#include "tlm/base/time.h"

namespace gputlm {

/// SMs that a profile gives on a GPU, as `nvidia-smi mig -lgip` lists them; 0: no instances are known for the GPU, and a
/// profile has all SMs of its GPCs.
struct MigConfig {
  unsigned sms_1g = 0;
  unsigned sms_1g_double = 0;  ///< SMs of a 1g with two eighths of the memory: `1g.20gb` of 80 GB
  unsigned sms_2g = 0, sms_3g = 0, sms_4g = 0, sms_7g = 0;
};

struct InstanceSpec {
  std::string name;
  /// `3g` or, with its memory, `3g.40gb`, also as nvidia-smi prints it (platform/run/instances.cpp); none: the numbers below
  std::optional<std::string> profile = std::nullopt;
  std::optional<unsigned> gpcs = std::nullopt;
  std::optional<unsigned> sms = std::nullopt;       ///< SMs among those of its GPCs; none: all
  std::optional<unsigned> channels = std::nullopt;  ///< DRAM channels, with their L2 slices
  std::optional<unsigned> copy_engines = std::nullopt;
  std::optional<Bytes> memory = std::nullopt;
  bool shared_tlb = false;
  std::string file = {};  ///< source file, for messages; empty: from C++
  std::size_t line = 0;

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = InstanceSpec;
    v.structure(&S::name, "name");
    v.field(&S::profile, "profile", Text{},
            "MIG profile: `1g`, `2g`, `3g`, `4g` or `7g`, optionally with its memory, `3g.40gb`, or as nvidia-smi "
            "prints it, `MIG 1g.10gb+me`",
            "NVIDIA, Multi-Instance GPU User Guide");
    v.field(&S::gpcs, "gpcs", Whole{1, 256, "GPCs"}, "Instead of a profile: number of GPCs, with their SMs");
    v.field(&S::sms, "sms", Whole{1, 256, "SMs"},
            "Instead of a profile: number of SMs, the same from each of these GPCs; default: all");
    v.field(&S::channels, "channels", Whole{1, 256, "channels"},
            "Instead of a profile: number of DRAM channels, with their L2 slices");
    v.field(&S::copy_engines, "copy_engines", Whole{1, 64, "engines"},
            "Number of copy engines; default: that of the profile, else one per GPC");
    v.field(&S::memory, "memory", Size{1, Bytes{1} << 40},
            "Device memory; default: that of the profile, else the channels' share of mmu.device_memory");
    v.field(&S::shared_tlb, "shared_tlb", Flag{}, "It shares its last-level TLB with all instances that have this flag",
            "Zhang et al., TunneLs for Bootlegging, CCS 2023");
    v.origin(&S::file);
    v.origin(&S::line);
  }
};

}  // namespace gputlm
