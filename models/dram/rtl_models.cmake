# The sizes of rtl_models.cpp.
foreach(arbiter fr_fcfs_arbiter fr_rr_fcfs_arbiter)
  rtl_policy(V${arbiter}_64 ${arbiter} Entries=64 Banks=16 Apps=8 RowW=32 HasCap=1'b1)
  rtl_policy(V${arbiter}_128 ${arbiter} Entries=128 Banks=64 Apps=8 RowW=32 HasCap=1'b1)
endforeach()
rtl_unit(gputlm_dram)
