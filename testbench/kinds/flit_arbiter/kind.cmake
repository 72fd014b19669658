# Sizes that change the kind of a port, that are no powers of two, and the smallest of everything.
kind(flit_arbiter
  RTL "round_robin 16x8x6x8x16" "round_robin 128x8x6x8x16" "oldest 16x8x6x8x16" "oldest 128x8x6x8x16"
    "weighted 16x8x6x8x16" "weighted 128x8x6x8x16"
  DESIGNS
    "round_robin 2x1x1x1x1" "round_robin 16x4x6x4x12" "round_robin 256x8x8x8x16"
    "oldest 2x1x1x1x1" "oldest 7x2x2x2x5" "oldest 16x4x6x4x12"
    "weighted 2x1x1x1x1" "weighted 5x3x3x4x2" "weighted 16x4x6x4x12"
  LARGE_DESIGNS "oldest 82x8x8x8x16" "weighted 82x8x8x8x16"
  NETLISTS "weighted 5x3x3x2x3"
  LARGE_NETLISTS "round_robin 5x3x3x2x3" "oldest 5x3x3x2x3"
  MUTATED 5x3x3x2x3)
