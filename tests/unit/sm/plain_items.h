/// Items in plain memory, for cores tested without SystemC. They are never reused, so that ended ones stay readable.
#pragma once

#include <memory>
#include <vector>

#include "tlm/item_source.h"

namespace gputlm::test {

template <class Item>
class PlainItems final : public ItemSource<Item> {
 public:
  Item& allocate() override {
    ++in_use_;
    return *all_.emplace_back(std::make_unique<Item>());
  }
  void release(Item&) override { --in_use_; }
  std::size_t in_use() const { return in_use_; }

 private:
  std::size_t in_use_ = 0;
  std::vector<std::unique_ptr<Item>> all_;
};

}  // namespace gputlm::test
