# Sizes that change the kind of a port, that are no powers of two, and the smallest of everything.
kind(arbiter
  RTL "fr_fcfs 64x16x8x32x1" "fr_fcfs 128x64x8x32x1" "fr_rr_fcfs 64x16x8x32x1" "fr_rr_fcfs 128x64x8x32x1"
  BIT 1 _cap
  DESIGNS
    "fr_fcfs 8x1x1x5x0" "fr_fcfs 16x8x3x14x1" "fr_fcfs 32x16x4x14x0"
    "fr_rr_fcfs 8x4x1x14x0" "fr_rr_fcfs 9x2x2x5x1" "fr_rr_fcfs 16x8x3x14x1" "fr_rr_fcfs 64x16x8x32x1" "fr_rr_fcfs 128x4x5x14x1"
  LARGE_DESIGNS "fr_fcfs 64x16x8x32x1" "fr_rr_fcfs 32x16x4x14x0"
  NETLISTS "fr_rr_fcfs 8x2x3x5x1"
  LARGE_NETLISTS "fr_fcfs 8x2x3x5x1" "fr_fcfs 32x16x4x14x0" "fr_rr_fcfs 32x16x4x14x0"
  COVERED "fr_fcfs 16x8x3x14x1" "fr_rr_fcfs 16x8x3x14x1"
  MUTATED 8x2x3x5x1)
