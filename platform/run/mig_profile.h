/// Names of MIG's profiles, as nvidia-smi prints them (`nvidia-smi -L`, `mig -lgip`, `mig -lcip`) and users write them, in
/// upper or lower case:
///
///   3g.40gb, MIG 3g.40gb           a GPU instance; `3g` alone stands for that with the usual memory
///   1g.10gb+me, +me.all, +gfx, -me with media engines, with all of them, with graphics, without media engines; the SMs and
///                                  the memory are those of the name without it
///   MIG 1c.3g.40gb                 a compute instance: one slice of the SMs of a GPU instance 3g.40gb
///
/// NVIDIA, "Multi-Instance GPU User Guide", chapters "Terminology", "MIG Device Names" and "Supported MIG Profiles".
#pragma once

#include <optional>
#include <string>

namespace gputlm {

struct MigProfile {
  unsigned slices = 0;  ///< of a compute instance; 0: a GPU instance
  unsigned sevenths = 0;
  std::optional<unsigned> gigabytes = std::nullopt;

  /// Of the GPU instance: `3g.40gb`.
  std::string gpu_instance() const;
};

/// None if it is no such name.
std::optional<MigProfile> parse_mig_profile(const std::string& name);

}  // namespace gputlm
