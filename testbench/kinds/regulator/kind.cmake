# The smallest of everything, tokens narrower and wider than a request, and the size of the platform's.
kind(regulator
  RTL "hard 8x32x8" "reclaim 8x32x8"
  DESIGNS
    "hard 1x4x2" "hard 3x6x8" "hard 8x32x8"
    "reclaim 1x4x2" "reclaim 3x6x8" "reclaim 8x32x8"
  NETLISTS "reclaim 3x10x8"
  LARGE_NETLISTS "hard 3x10x8"
  MUTATED 3x8x6)
