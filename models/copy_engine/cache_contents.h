/// Which of the GPU's bytes the L2 holds while only copies use it, and what leaves it next, as far as the pace of a copy
/// depends on that: bytes that are held need no DRAM, and dirty ones that leave need it once more.
///
/// Bytes leave in the order in which they were last used, in layers of a 64th of the cache. Sets are left out, and so are
/// replacement policies that keep what is older (volta80's `bip`). At first there are clean bytes that nobody uses, which
/// cost as much to replace as places that are empty.
#pragma once

#include <cstdint>
#include <deque>
#include <map>

#include "tlm/time.h"

namespace gputlm {

class CacheContents {
 public:
  /// `capacity`: 0 for no cache.
  explicit CacheContents(Bytes capacity);

  Bytes capacity() const { return capacity_; }
  /// What leaves together.
  Bytes layer() const { return layer_; }

  /// `bytes` from `first` on, at least one, are read or written.
  void use(Address first, Bytes bytes, bool write);

  /// Of `most` bytes from `first` on, those at the beginning of which the same is to be said; runs below a layer are put
  /// together with what follows, up to a layer.
  struct Run {
    bool held;
    Bytes bytes;
  };
  Run run(Address first, Bytes most) const;

  /// Of the bytes that leave next, those of which about as many are dirty.
  struct Leaving {
    unsigned quarters;  ///< that are dirty, to the nearest
    Bytes bytes;
  };
  Leaving leaving() const;

 private:
  struct Layer {
    Bytes bytes = 0, dirty = 0;
  };
  struct Piece {
    Address end;
    std::uint64_t layer;  ///< as numbers_; those that have left are no more
    bool dirty;
  };
  using Pieces = std::map<Address, Piece>;  ///< by first address; none overlap

  bool is_held(const Piece& piece) const { return piece.layer >= left_; }
  Layer& layer_of(const Piece& piece) { return layers_[piece.layer - left_]; }
  Pieces::const_iterator held_behind(Address at) const;
  Bytes take_out(Address first, Address end);
  void put(Address first, Address end, bool dirty);
  void evict();
  void forget();

  Bytes capacity_, layer_;
  Bytes bytes_;               ///< held
  std::deque<Layer> layers_;  ///< that which leaves first in front
  std::uint64_t left_ = 0;    ///< layers that have: the number of the first one
  Pieces pieces_;
  std::size_t forget_at_ = 1024;  ///< pieces
};

}  // namespace gputlm
