kind(kernel_order
  RTL "leftover 128x8"
  RTL_OPTIMIZE -O1  # it takes long to compile and seldom decides
  DESIGNS "leftover 2x1" "leftover 9x2" "leftover 32x3"
  LARGE_DESIGNS "leftover 72x8"
  NETLISTS "leftover 6x2"
  MUTATED 6x2)
