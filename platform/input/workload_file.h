/// Workload files: YAML that describes kernels as programs, and which streams of which applications launch them.
/// docs/workload.md describes the form.
#pragma once

#include <cstdint>
#include <string>

#include "models/config.h"
#include "models/host/workload.h"

namespace gputlm {

class FreshAddresses;

/// `gpu`: for which it is, as far as its user has said; null: not known yet. Throws InputError, with file and line, for
/// whatever is wrong with the file.
Workload load_workload(const std::string& path, std::uint64_t seed, const GpuConfig* gpu = nullptr);
/// The same, of a file whose program runs beside others: what it gives no address has one of `addresses`.
Workload load_workload(const std::string& path, std::uint64_t seed, const GpuConfig* gpu, FreshAddresses& addresses);
/// From text; `name` stands for the file in messages.
Workload load_workload_text(const std::string& text, const std::string& name, std::uint64_t seed,
                            const GpuConfig* gpu = nullptr);

}  // namespace gputlm
