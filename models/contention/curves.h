/// Reading of curves of latency over load (capacities.h).
#pragma once

#include <cstddef>

#include "models/contention/capacities.h"

namespace gputlm {

constexpr int kHalvings = 40;  ///< bisections until a number is found

inline double load_of(const LatencyCurve::Point& point) { return static_cast<double>(point.load) / 1000; }
inline double latency_of(const LatencyCurve::Point& point) { return static_cast<double>(point.latency); }
inline double capacity_of(const LatencyCurve& curve) { return load_of(curve.points.back()); }

inline double between(double x, double x0, double x1, double y0, double y1) {
  return x1 > x0 ? y0 + (y1 - y0) * (x - x0) / (x1 - x0) : y1;
}

/// Latency at a load, as if the capacity were `scale` times that of the curve.
inline double latency_at(const LatencyCurve& curve, double load, double scale) {
  const auto& points = curve.points;
  if (load <= load_of(points.front()) * scale) return latency_of(points.front());
  for (std::size_t i = 1; i < points.size(); ++i) {
    if (load > load_of(points[i]) * scale) continue;
    return between(load, load_of(points[i - 1]) * scale, load_of(points[i]) * scale, latency_of(points[i - 1]),
                   latency_of(points[i]));
  }
  return latency_of(points.back());
}

/// Load that passes at a latency, with `scale` as above.
inline double load_at(const LatencyCurve& curve, double latency, double scale) {
  const auto& points = curve.points;
  for (std::size_t i = 1; i < points.size(); ++i) {
    if (latency > latency_of(points[i])) continue;
    return scale * between(latency, latency_of(points[i - 1]), latency_of(points[i]), load_of(points[i - 1]),
                           load_of(points[i]));
  }
  return scale * capacity_of(curve);
}

/// The smallest number for which `enough` holds. `start`: the number that is tried first.
template <class Enough>
double smallest(double start, const Enough& enough) {
  double low = 0, high = start;
  for (int i = 0; i < kHalvings && !enough(high); ++i) low = high, high *= 2;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = (low + high) / 2;
    (enough(middle) ? high : low) = middle;
  }
  return high;
}

/// The latency at which as much passes as is requested. `asked`: requested sectors per cycle, a falling function of latency.
template <class Asked>
double balance(const LatencyCurve& curve, double scale, const Asked& asked) {
  double low = latency_of(curve.points.front()), high = latency_of(curve.points.back());
  if (asked(low) <= load_at(curve, low, scale)) return low;
  for (int i = 0; i < kHalvings && asked(high) > load_at(curve, high, scale); ++i) low = high, high *= 2;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = (low + high) / 2;
    (asked(middle) > load_at(curve, middle, scale) ? low : high) = middle;
  }
  return (low + high) / 2;
}

/// Capacity of DRAM for such a mix of reads and writes, relative to that for reads alone.
inline double part_left(const MemoryCapacities& memory, double reads, double writes) {
  if (writes <= 0) return 1;
  const double part = writes / (reads + writes), all = 1000 * capacity_of(memory.dram);
  const double mixed = static_cast<double>(memory.mixed) / all, written = static_cast<double>(memory.written) / all;
  return part <= 0.5 ? between(part, 0, 0.5, 1, mixed) : between(part, 0.5, 1, mixed, written);
}

}  // namespace gputlm
