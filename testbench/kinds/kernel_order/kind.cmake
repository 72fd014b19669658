lockstep_kind(kernel_order CLASS KernelOrder HEADER models/work_distributor/rtl_kernel_order_verilated.h
  PARAMETERS Kernels LevelW
  DESIGNS "leftover 2x1" "leftover 9x2" "leftover 32x3"
  LARGE_DESIGNS "leftover 72x8"
  NETLISTS "leftover 6x2"
  MUTATED 6x2)
