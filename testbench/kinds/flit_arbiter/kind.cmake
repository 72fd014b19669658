# Sizes that change the kind of a port, that are no powers of two, and the smallest of everything.
lockstep_kind(flit_arbiter CLASS FlitArbiter HEADER models/noc/rtl_flit_arbiter_verilated.h
  PARAMETERS Inputs Apps WeightW LengthW AgeW
  DESIGNS
    "round_robin 2x1x1x1x1" "round_robin 16x4x6x4x12" "round_robin 256x8x8x8x16"
    "oldest 2x1x1x1x1" "oldest 7x2x2x2x5" "oldest 16x4x6x4x12"
    "weighted 2x1x1x1x1" "weighted 5x3x3x4x2" "weighted 16x4x6x4x12"
  LARGE_DESIGNS "oldest 82x8x8x8x16" "weighted 82x8x8x8x16"
  NETLISTS "round_robin 5x3x3x2x3" "oldest 5x3x3x2x3" "weighted 5x3x3x2x3"
  MUTATED 5x3x3x2x3)
