# What rtl/ has of arbiters and sorters, as policies of the units that ask them: sizes as in models/dram/rtl_models.cpp
# and models/sm/rtl_models.cpp.
gputlm_verilated_library(gputlm_rtl_models)
gputlm_install_library(gputlm_rtl_models)

# rtl_policy(PREFIX TOP name=value...)
function(rtl_policy prefix top)
  gputlm_verilate(gputlm_rtl_models PREFIX ${prefix} TOP ${top} FILELIST ${PROJECT_SOURCE_DIR}/rtl/filelist.f
    PARAMETERS ${ARGN}
    # No register is read before it is written (testbench/ starts from random contents): zeros are fastest.
    ARGUMENTS --x-assign fast --x-initial fast
    DEPENDS ${GPUTLM_RTL_SOURCES})
endfunction()

foreach(arbiter fr_fcfs_arbiter fr_rr_fcfs_arbiter)
  foreach(size "64 16" "128 64")
    string(REPLACE " " ";" size "${size}")
    list(GET size 0 entries)
    list(GET size 1 banks)
    rtl_policy(V${arbiter}_${entries} ${arbiter} Entries=${entries} Banks=${banks} Apps=8 RowW=32 HasCap=1'b1)
  endforeach()
endforeach()
foreach(sorter lrr_sorter gto_sorter qaws_sorter)
  foreach(warps 16 48)
    rtl_policy(V${sorter}_${warps} ${sorter} Warps=${warps} Groups=8 BudgetW=8 FullOrder=1'b0)
  endforeach()
endforeach()

foreach(unit gputlm_dram gputlm_sm)
  target_link_libraries(${unit} PRIVATE gputlm_rtl_models)
endforeach()
