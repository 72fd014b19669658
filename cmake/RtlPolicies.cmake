# The arbiters of rtl/ as policies of the DRAM controller: sizes as in models/dram/rtl_models.cpp.
gputlm_verilated_library(gputlm_rtl_models)
foreach(arbiter fr_fcfs_arbiter fr_rr_fcfs_arbiter)
  foreach(size "64 16" "128 64")
    string(REPLACE " " ";" size "${size}")
    list(GET size 0 entries)
    list(GET size 1 banks)
    gputlm_verilate(gputlm_rtl_models PREFIX V${arbiter}_${entries} TOP ${arbiter}
      FILELIST ${PROJECT_SOURCE_DIR}/rtl/filelist.f
      PARAMETERS Entries=${entries} Banks=${banks} Apps=8 RowW=32 HasCap=1'b1
      # No register is read before it is written (testbench/ starts from random contents): zeros are fastest.
      ARGUMENTS --x-assign fast --x-initial fast
      DEPENDS ${GPUTLM_RTL_SOURCES})
  endforeach()
endforeach()
target_link_libraries(gputlm_dram PRIVATE gputlm_rtl_models)
target_compile_definitions(gputlm_dram PRIVATE GPUTLM_RTL)
