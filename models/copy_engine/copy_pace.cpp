#include "models/copy_engine/copy_pace.h"

#include <algorithm>

namespace gputlm {

using Wide = unsigned __int128;

FineBytes CopyPace::in(Cycle cycles) const {
  return static_cast<FineBytes>((Wide{cycles} * flow().bytes << kFineBits) / flow().cycles);
}

Cycle CopyPace::cycles(FineBytes bytes) const {
  const Wide per = Wide{flow().bytes} << kFineBits;
  return static_cast<Cycle>((Wide{bytes} * flow().cycles + per - 1) / per);
}

std::size_t CopyPace::start_packets(Cycle time) const {
  return static_cast<std::size_t>(std::upper_bound(start_.begin(), start_.end(), time) - start_.begin());
}

}  // namespace gputlm
