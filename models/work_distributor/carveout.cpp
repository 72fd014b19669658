#include "models/work_distributor/carveout.h"

#include <algorithm>

namespace gputlm {
namespace {

constexpr Bytes kKiB = 1024;

Bytes smallest(const CarveoutSizes& sizes, Bytes least) {
  const auto size = std::lower_bound(sizes.shared.begin(), sizes.shared.end(), least);
  return size == sizes.shared.end() ? sizes.shared.back() : *size;
}

GPUTLM_REGISTER {
  const auto add = [](unsigned rank, const char* name, const char* description, const char* section, Bytes array,
                      std::vector<Bytes> shared) {
    for (Bytes& size : shared) size *= kKiB;
    carveouts().add({{name, rank}, description, std::string("CUDA C++ Programming Guide, ") + section},
                    {array * kKiB, std::move(shared)});
  };
  add(1, "fixed", "L1 and shared memory are separate arrays of the configured sizes", "compute capability 5.x and 6.x",
      0, {});
  add(2, "cc70", "Compute capability 7.0 and 7.2: 128 KiB, of which 0, 8, 16, 32, 64 or 96 are shared memory",
      "compute capability 7.x", 128, {0, 8, 16, 32, 64, 96});
  add(3, "cc75", "Compute capability 7.5: 96 KiB, of which 32 or 64 are shared memory", "compute capability 7.x", 96,
      {32, 64});
  add(4, "cc80",
      "Compute capability 8.0 and 8.7: 192 KiB, of which 0, 8, 16, 32, 64, 100, 132 or 164 are shared memory",
      "compute capability 8.x", 192, {0, 8, 16, 32, 64, 100, 132, 164});
  add(5, "cc86", "Compute capability 8.6 and 8.9: 128 KiB, of which 0, 8, 16, 32, 64 or 100 are shared memory",
      "compute capability 8.x", 128, {0, 8, 16, 32, 64, 100});
  add(6, "cc90",
      "Compute capability 9.0: 256 KiB, of which 0, 8, 16, 32, 64, 100, 132, 164, 196 or 228 are shared memory",
      "compute capability 9.0", 256, {0, 8, 16, 32, 64, 100, 132, 164, 196, 228});
}

}  // namespace

Decision<CarveoutSizes>& carveouts() {
  static Decision<CarveoutSizes> all("carve-out", 11, "sm.carveout");
  return all;
}

SmLimits with_arrays(const SmLimits& sm, Bytes l1) {
  SmLimits limits = sm;
  const CarveoutSizes& sizes = carveouts().at(sm.carveout).make;
  if (sizes.array > 0 && (l1 != sizes.array || sm.shared_memory != sizes.shared.back())) limits.carveout = "fixed";
  return limits;
}

Bytes wanted_carveout(const CarveoutSizes& sizes, const KernelLaunch& launch, const BlockDemand& demand, Resources sm) {
  const Bytes block = demand.takes.shared_memory, most = sizes.shared.back();
  const auto hint = [&](Bytes bytes) { return smallest(sizes, std::max(bytes, block)); };
  if (launch.shared_percent) return hint(most * *launch.shared_percent / 100);
  switch (launch.cache_config) {
    case CacheConfig::kShared: return most;
    case CacheConfig::kL1: return hint(0);
    case CacheConfig::kEqual: return hint(sizes.array / 2);
    case CacheConfig::kAny: break;
  }
  sm.shared_memory = block * sm.blocks;  // so that it limits nothing
  return hint(block * residency(demand, sm));
}

}  // namespace gputlm
