/// Retention of a kernel's lines in the L2, as in CUDA's access policy windows (CUDA C++ Programming Guide, "L2 Cache
/// Control"; cudaAccessPolicyWindow of the Runtime API). Its implementation: models/l2/set_aside.h.
#pragma once

#include <cstdint>

#include "tlm/base/record.h"
#include "tlm/base/time.h"

namespace gputlm {

/// Property of an access and of its line (cudaAccessProperty).
enum class AccessProperty : std::uint8_t {
  kNormal,
  kStreaming,   ///< the line is evicted first
  kPersisting,  ///< the line is kept in the set-aside part of the L2
};

inline constexpr Bytes kMaxPolicyWindow = Bytes{1} << 40;

struct AccessPolicyWindow {
  Address base = 0;  ///< GPU address in its application
  Bytes bytes = 0;
  double hit_ratio = 1;  ///< share of its lines that have hit_prop; the others have miss_prop
  AccessProperty hit_prop = AccessProperty::kPersisting;
  AccessProperty miss_prop = AccessProperty::kStreaming;  ///< property of the other lines; never persisting

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = AccessPolicyWindow;
    v.structure(&S::base, "base");
    v.required(&S::bytes, "bytes", Size{1, kMaxPolicyWindow}, "Size", "cudaAccessPolicyWindow, num_bytes");
    v.field(&S::hit_ratio, "hit_ratio", Real{0, 1, kPlain},
            "Share of its lines, drawn by a hash of the line's address, that have hit_prop",
            "cudaAccessPolicyWindow, hitRatio");
    v.field(&S::hit_prop, "hit_prop", OneOf{"normal", "streaming", "persisting"}, "How these lines are kept",
            "cudaAccessPolicyWindow, hitProp");
    v.field(&S::miss_prop, "miss_prop", OneOf{"normal", "streaming"}, "How the others are kept",
            "cudaAccessPolicyWindow, missProp");
  }
};

}  // namespace gputlm
