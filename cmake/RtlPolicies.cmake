# What rtl/ has of arbiters and sorters, as policies of the units that ask them: each unit says in its folder, in
# rtl_models.cmake, which modules it takes and in which sizes.
gputlm_verilated_library(gputlm_rtl_models)
gputlm_install_library(gputlm_rtl_models)

# rtl_policy(PREFIX TOP name=value... [OPTIMIZE level]): the class PREFIX of the module TOP. OPTIMIZE: for what takes long to
# compile and seldom decides.
function(rtl_policy prefix top)
  cmake_parse_arguments(ARG "" "OPTIMIZE" "" ${ARGN})
  gputlm_verilate(gputlm_rtl_models PREFIX ${prefix} TOP ${top} FILELIST ${PROJECT_SOURCE_DIR}/rtl/filelist.f
    PARAMETERS ${ARG_UNPARSED_ARGUMENTS} OPTIMIZE ${ARG_OPTIMIZE}
    # No register is read before it is written (testbench/ starts from random contents): zeros are fastest.
    ARGUMENTS --x-assign fast --x-initial fast
    DEPENDS ${GPUTLM_RTL_SOURCES})
endfunction()
# rtl_unit(LIBRARY): uses these classes.
function(rtl_unit library)
  target_link_libraries(${library} PRIVATE gputlm_rtl_models)
endfunction()

file(GLOB units CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/models/*/rtl_models.cmake)
foreach(unit IN LISTS units)
  include(${unit})
endforeach()
