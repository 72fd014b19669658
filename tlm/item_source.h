#pragma once

namespace gputlm {

/// The source of the items that cores send, to which they return them: a payload pool on the platform, plain memory in unit
/// tests.
template <class Item>
class ItemSource {
 public:
  virtual ~ItemSource() = default;
  /// A default-valued item. No allocation in steady state.
  virtual Item& allocate() = 0;
  /// Returns the item; the reference must not be used afterwards.
  virtual void release(Item& item) = 0;
};

}  // namespace gputlm
