/// Which bytes the L2 holds while only copies use it, and which it evicts next, as far as a copy's pace depends on it: held
/// bytes need no DRAM access, and evicted dirty bytes need another.
///
/// Bytes are evicted in LRU order, in layers of a 64th of the cache. Sets are not modelled, nor are replacement policies
/// that keep older lines (volta80's `bip`). Initially the cache holds unused clean bytes, which cost as much to replace as
/// empty places.
#pragma once

#include <cstdint>
#include <deque>
#include <map>

#include "tlm/base/time.h"

namespace gputlm {

class CacheContents {
 public:
  /// `capacity`: 0 for no cache.
  explicit CacheContents(Bytes capacity);

  Bytes capacity() const { return capacity_; }
  /// Bytes evicted together.
  Bytes layer() const { return layer_; }

  /// Reads or writes `bytes` bytes from `first` on, at least one.
  void use(Address first, Bytes bytes, bool write);

  /// The leading part of `most` bytes from `first` on that has uniform state; runs shorter than a layer are merged with
  /// what follows, up to a layer.
  struct Run {
    bool held;
    Bytes bytes;
  };
  Run run(Address first, Bytes most) const;

  /// The next bytes to be evicted that have about the same share of dirty bytes.
  struct Leaving {
    unsigned quarters;  ///< dirty share in quarters, 0 to 4, rounded
    Bytes bytes;
  };
  Leaving leaving() const;

 private:
  struct Layer {
    Bytes bytes = 0, dirty = 0;
  };
  struct Piece {
    Address end;
    std::uint64_t layer;  ///< number of the layer; evicted layers no longer exist
    bool dirty;
  };
  using Pieces = std::map<Address, Piece>;  ///< indexed by first address; none overlap

  bool is_held(const Piece& piece) const { return piece.layer >= left_; }
  Layer& layer_of(const Piece& piece) { return layers_[piece.layer - left_]; }
  Pieces::const_iterator held_behind(Address at) const;
  Bytes take_out(Address first, Address end);
  void put(Address first, Address end, bool dirty);
  void evict();
  void forget();

  Bytes capacity_, layer_;
  Bytes bytes_;               ///< bytes held
  std::deque<Layer> layers_;  ///< layers, the first to be evicted in front
  std::uint64_t left_ = 0;    ///< number of evicted layers, and so the number of the first one in layers_
  Pieces pieces_;
  std::size_t forget_at_ = 1024;  ///< number of pieces at which evicted ones are erased
};

}  // namespace gputlm
