# The sizes of rtl_models.cpp.
foreach(arbiter round_robin_flit_arbiter oldest_flit_arbiter weighted_flit_arbiter)
  foreach(inputs 16 128)
    rtl_policy(V${arbiter}_${inputs} ${arbiter} Inputs=${inputs} Apps=8 LengthW=8 AgeW=16 WeightW=6)
  endforeach()
endforeach()
rtl_unit(gputlm_noc)
