# The size of rtl_models.cpp.
rtl_policy(Vleftover_kernel_order leftover_kernel_order Kernels=128 LevelW=8 OPTIMIZE -O1)
rtl_unit(gputlm_work_distributor)
