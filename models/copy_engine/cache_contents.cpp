#include "models/copy_engine/cache_contents.h"

#include <algorithm>
#include <cassert>
#include <iterator>

namespace gputlm {
namespace {

constexpr Bytes kLayers = 64;
/// Evictions are examined in this many parts of the cache.
constexpr Bytes kLeavingParts = 32;

unsigned quarters(Bytes part, Bytes all) { return all == 0 ? 0 : static_cast<unsigned>((8 * part + all) / (2 * all)); }

}  // namespace

CacheContents::CacheContents(Bytes capacity)
    : capacity_(capacity), layer_(std::max<Bytes>(1, capacity / kLayers)), bytes_(capacity) {
  layers_.push_back({capacity, 0});
  layers_.emplace_back();
}

void CacheContents::use(Address first, Bytes bytes, bool write) {
  if (capacity_ == 0) return;
  for (const Address end = first + bytes; first < end;) {
    if (layers_.back().bytes >= layer_) layers_.emplace_back();
    const Address part = std::min(end, first + layer_ - layers_.back().bytes);
    const Bytes dirty = take_out(first, part);
    put(first, part, write || 2 * dirty > part - first);
    evict();
    first = part;
  }
}

/// Removes the held part of these bytes from its layers, and returns how much of it was dirty.
Bytes CacheContents::take_out(Address first, Address end) {
  Bytes dirty = 0;
  auto next = pieces_.lower_bound(first);
  if (next != pieces_.begin() && std::prev(next)->second.end > first) --next;
  while (next != pieces_.end() && next->first < end) {
    const Address begin = next->first;
    const Piece piece = next->second;
    next = pieces_.erase(next);
    if (begin < first) pieces_.emplace(begin, Piece{first, piece.layer, piece.dirty});
    if (piece.end > end) next = std::next(pieces_.emplace(end, Piece{piece.end, piece.layer, piece.dirty}).first);
    if (!is_held(piece)) continue;
    // Part of a layer that is being evicted has already left.
    Layer& layer = layer_of(piece);
    const Bytes out = std::min(layer.bytes, std::min(end, piece.end) - std::max(first, begin));
    layer.bytes -= out;
    layer.dirty = std::min(layer.bytes, layer.dirty - (piece.dirty ? std::min(layer.dirty, out) : 0));
    bytes_ -= out;
    if (piece.dirty) dirty += out;
  }
  return dirty;
}

void CacheContents::put(Address first, Address end, bool dirty) {
  const std::uint64_t newest = left_ + layers_.size() - 1;
  layers_.back().bytes += end - first;
  if (dirty) layers_.back().dirty += end - first;
  bytes_ += end - first;
  const auto next = pieces_.lower_bound(first);
  if (next != pieces_.begin()) {
    Piece& before = std::prev(next)->second;
    if (before.end == first && before.layer == newest && before.dirty == dirty) {
      before.end = end;
      return;
    }
  }
  pieces_.emplace_hint(next, first, Piece{end, newest, dirty});
  if (pieces_.size() >= forget_at_) forget();
}

void CacheContents::evict() {
  while (bytes_ > capacity_) {
    Layer& layer = layers_.front();
    const Bytes out = std::min(layer.bytes, bytes_ - capacity_);
    if (out > 0) layer.dirty -= layer.dirty * out / layer.bytes;
    layer.bytes -= out;
    bytes_ -= out;
    if (layer.bytes > 0) continue;
    layers_.pop_front();
    ++left_;
  }
}

/// Removes the pieces that have left the cache.
void CacheContents::forget() {
  for (auto piece = pieces_.begin(); piece != pieces_.end();) {
    piece = is_held(piece->second) ? std::next(piece) : pieces_.erase(piece);
  }
  forget_at_ = std::max<std::size_t>(1024, 2 * pieces_.size());
}

/// The first held piece that ends after `at`.
CacheContents::Pieces::const_iterator CacheContents::held_behind(Address at) const {
  auto piece = pieces_.upper_bound(at);
  if (piece != pieces_.begin() && std::prev(piece)->second.end > at) --piece;
  while (piece != pieces_.end() && !is_held(piece->second)) ++piece;
  return piece;
}

CacheContents::Run CacheContents::run(Address first, Bytes most) const {
  const Address end = first + most, near = first + std::min(most, layer_);
  auto piece = held_behind(first);
  if (piece == pieces_.end() || piece->first >= end) return {false, most};
  if (piece->first >= near) return {false, piece->first - first};
  Address same = first;
  for (auto next = piece; next != pieces_.end() && next->first <= same && same < end; next = held_behind(same)) {
    same = std::min(end, next->second.end);
  }
  if (same >= near) return {true, same - first};
  Bytes held = 0;
  for (; piece != pieces_.end() && piece->first < near; piece = held_behind(piece->second.end)) {
    held += std::min(near, piece->second.end) - std::max(first, piece->first);
  }
  return {2 * held >= near - first, near - first};
}

CacheContents::Leaving CacheContents::leaving() const {
  if (capacity_ == 0) return {0, kNever};
  Leaving all{0, 0};
  Layer look;
  for (const Layer& layer : layers_) {
    look.bytes += layer.bytes;
    look.dirty += layer.dirty;
    if (look.bytes < capacity_ / kLeavingParts && all.bytes + look.bytes < bytes_) continue;
    const unsigned dirty = quarters(look.dirty, look.bytes);
    if (all.bytes > 0 && dirty != all.quarters) break;
    all = {dirty, all.bytes + look.bytes};
    look = {};
  }
  return all;
}

}  // namespace gputlm
