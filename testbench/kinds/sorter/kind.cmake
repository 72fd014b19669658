# That a turn goes each of 56 ways takes more decisions than the rest.
kind(sorter
  RTL "lrr 16x8x8x0" "lrr 48x8x8x0" "gto 16x8x8x0" "gto 48x8x8x0" "qaws 16x8x8x0" "qaws 48x8x8x0"
  BIT 0 _pick
  DESIGNS
    "lrr 9x2x2x1 50000" "gto 16x2x8x1 50000"
    "qaws 8x2x2x1 50000" "qaws 16x2x8x1 50000" "qaws 16x3x8x0 50000" "qaws 24x4x5x1 50000"
  NETLISTS "qaws 8x2x3x1 50000"
  LARGE_DESIGNS "lrr 48x8x4x1" "gto 48x4x4x0" "qaws 48x8x4x1"
  LARGE_NETLISTS "lrr 8x2x3x1" "gto 8x2x3x1" "lrr 16x4x6x1" "gto 16x4x6x1" "qaws 16x4x6x1"
  COVERED "qaws 16x3x5x1"
  MUTATED 8x3x3x1)
