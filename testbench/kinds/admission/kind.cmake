kind(admission
  BIT 0 _partition
  DESIGNS "reserved 8x2x1x1" "reserved 16x2x3x0" "reserved 32x4x3x1" "reserved 64x2x3x1" "reserved 128x5x4x1"
  NETLISTS "reserved 16x3x3x1"
  MUTATED 16x3x3x1)
