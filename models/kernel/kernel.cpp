#include "models/kernel/kernel.h"

namespace gputlm {

std::uint64_t Kernel::block_at(std::uint64_t place) const {
  if (cluster.count() == 1) return place;
  const std::uint64_t number = place / cluster.count(), rank = place % cluster.count();
  const std::uint64_t across = grid.x / cluster.x, down = grid.y / cluster.y;  // in clusters
  const std::uint64_t x = number % across * cluster.x + rank % cluster.x;
  const std::uint64_t y = number / across % down * cluster.y + rank / cluster.x % cluster.y;
  const std::uint64_t z = number / across / down * cluster.z + rank / cluster.x / cluster.y;
  return (z * grid.y + y) * grid.x + x;
}

}  // namespace gputlm
