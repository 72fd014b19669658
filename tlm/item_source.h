#pragma once

namespace gputlm {

/// Where cores get the items that they send from, and give them back: a payload pool on the platform, plain memory in
/// unit tests.
template <class Item>
class ItemSource {
 public:
  virtual ~ItemSource() = default;
  /// A default-valued item. No allocation in steady state.
  virtual Item& allocate() = 0;
  /// Ends the item; the reference is not to be used afterwards.
  virtual void release(Item& item) = 0;
};

}  // namespace gputlm
