/// Workload files: YAML that describes kernels as programs, and the streams and applications that launch them.
/// docs/workload.md describes the form.
#pragma once

#include <cstdint>
#include <string>

#include "models/config.h"
#include "models/host/workload.h"

namespace gputlm {

class FreshAddresses;

/// `gpu`: the GPU that the workload is for, as far as the user has said; null: not known yet. Throws InputError, with file
/// and line, for any error in the file.
Workload load_workload(const std::string& path, std::uint64_t seed, const GpuConfig* gpu = nullptr);
/// The same for a file whose program runs beside others: `addresses` supplies addresses where the file gives none.
Workload load_workload(const std::string& path, std::uint64_t seed, const GpuConfig* gpu, FreshAddresses& addresses);
/// The same from text; `name` stands for the file in messages.
Workload load_workload_text(const std::string& text, const std::string& name, std::uint64_t seed,
                            const GpuConfig* gpu = nullptr);

}  // namespace gputlm
