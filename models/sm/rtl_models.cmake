# The sizes of rtl_models.cpp.
foreach(sorter lrr_sorter gto_sorter qaws_sorter)
  foreach(warps 16 48)
    rtl_policy(V${sorter}_${warps} ${sorter} Warps=${warps} Groups=8 BudgetW=8 FullOrder=1'b0)
  endforeach()
endforeach()
rtl_unit(gputlm_sm)
