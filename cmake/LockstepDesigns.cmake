# Programs of the lockstep bench: a program has designs (modules of rtl/, verilated) and a table of them. A design is of a
# KIND; its module is POLICY_KIND. Each kind says all that is needed here in its folder, testbench/kinds/KIND/kind.cmake:
#
# lockstep_kind(KIND CLASS class HEADER file PARAMETERS name... [BIT value suffix]
#               DESIGNS design... [NETLISTS design...] [LARGE_DESIGNS design...] [LARGE_NETLISTS design...]
#               [COVERED design...] MUTATED size)
# CLASS: the C++ classes of the ports are RtlCLASS and, in HEADER, VerilatedCLASS.
# PARAMETERS: of the module; a size gives their values, "32x16x4x14x0". BIT: the last one is a bit; names of designs with this
# value of it end with the suffix.
# A design is "POLICY SIZE", for the regression with the number of decisions that reach every point, unless 100000 do:
# DESIGNS are the sources, NETLISTS what yosys makes of them, LARGE_ ones are checked at night only: five of 45 sizes were two
# fifths of what was compiled. COVERED are run with Verilator's coverage.
# MUTATED: the size in which faults are planted, for each policy of DESIGNS.
function(lockstep_kind kind)
  cmake_parse_arguments(KIND "" "CLASS;HEADER;MUTATED" "PARAMETERS;BIT;DESIGNS;NETLISTS;LARGE_DESIGNS;LARGE_NETLISTS;COVERED" ${ARGN})
  foreach(what CLASS HEADER PARAMETERS BIT DESIGNS NETLISTS LARGE_DESIGNS LARGE_NETLISTS COVERED MUTATED)
    set(LOCKSTEP_${kind}_${what} "${KIND_${what}}" PARENT_SCOPE)
  endforeach()
  set(LOCKSTEP_KINDS ${LOCKSTEP_KINDS} ${kind} PARENT_SCOPE)
endfunction()
set(LOCKSTEP_KINDS "")
file(GLOB lockstep_kinds CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/testbench/kinds/*/kind.cmake)
foreach(file IN LISTS lockstep_kinds)
  include(${file})
endforeach()

# lockstep_parts(DESIGN): sets `policy`, `size` (a list) and `decisions` of a design as a kind writes it.
macro(lockstep_parts design)
  string(REGEX MATCH "^([a-z_]+) ([0-9x]+) ?([0-9]*)$" matched "${design}")
  set(policy "${CMAKE_MATCH_1}")
  string(REPLACE x ";" size "${CMAKE_MATCH_2}")
  set(decisions "${CMAKE_MATCH_3}")
  if(decisions STREQUAL "")
    set(decisions 100000)
  endif()
  if(NOT matched)
    message(FATAL_ERROR "design '${design}': allowed is \"POLICY 1x2x3\" or \"POLICY 1x2x3 DECISIONS\"")
  endif()
endmacro()

# lockstep_name(RESULT KIND POLICY SIZE): the policy and the first three numbers, fr_fcfs_16x8x3_cap.
function(lockstep_name result kind policy size)
  list(SUBLIST size 0 3 numbers)
  list(JOIN numbers x numbers)
  set(suffix "")
  if(LOCKSTEP_${kind}_BIT)
    list(GET size -1 bit)
    list(GET LOCKSTEP_${kind}_BIT 0 named)
    if(bit EQUAL named)
      list(GET LOCKSTEP_${kind}_BIT 1 suffix)
    endif()
  endif()
  set(${result} ${policy}_${numbers}${suffix} PARENT_SCOPE)
endfunction()

# lockstep_design(PROGRAM NAME name KIND kind POLICY policy SIZE value... FILELIST file [NETLIST] [ARGUMENTS argument...]
#                 [DEPENDS file...])
# Adds a design to the program's table. FILELIST and DEPENDS: as in gputlm_verilate(). NETLIST: the parameters are part
# of the Verilog already.
function(lockstep_design program)
  cmake_parse_arguments(ARG "NETLIST" "NAME;KIND;POLICY;FILELIST" "SIZE;ARGUMENTS;DEPENDS" ${ARGN})
  set(library ${program}_designs)
  if(NOT TARGET ${library})
    gputlm_verilated_library(${library})
    target_link_libraries(${library} PUBLIC gputlm_verilated_files)
  endif()
  set(parameters "")
  if(NOT ARG_NETLIST)
    foreach(parameter value IN ZIP_LISTS LOCKSTEP_${ARG_KIND}_PARAMETERS ARG_SIZE)
      list(APPEND parameters ${parameter}=${value})
    endforeach()
    if(LOCKSTEP_${ARG_KIND}_BIT)
      list(TRANSFORM parameters REPLACE "=(.*)$" "=1'b\\1" AT -1)
    endif()
  endif()
  gputlm_verilate(${library} PREFIX V${ARG_NAME} TOP ${ARG_POLICY}_${ARG_KIND} FILELIST ${ARG_FILELIST}
    PARAMETERS ${parameters}
    # Registers without a reset start with random contents.
    ARGUMENTS --trace-fst --x-initial unique --x-assign unique ${ARG_ARGUMENTS}
    DEPENDS ${ARG_DEPENDS})
  set_property(TARGET ${library} APPEND PROPERTY LOCKSTEP_NAMES ${ARG_NAME})
  set_property(TARGET ${library} APPEND_STRING PROPERTY LOCKSTEP_INCLUDES "#include \"V${ARG_NAME}.h\"\n")
  set(size "")
  foreach(parameter value IN ZIP_LISTS LOCKSTEP_${ARG_KIND}_PARAMETERS ARG_SIZE)
    list(APPEND size "{\"${parameter}\", ${value}}")
  endforeach()
  list(JOIN size ", " size)
  set(class ${LOCKSTEP_${ARG_KIND}_CLASS})
  set_property(TARGET ${library} APPEND_STRING PROPERTY LOCKSTEP_ROWS
    "  built_in_designs().add({{\"${ARG_NAME}\"}, \"${ARG_KIND}\", \"${ARG_POLICY}\", {${size}},\n    reinterpret_cast<void*>(make_verilated<Rtl${class}, Verilated${class}<V${ARG_NAME}>>)});\n")
endfunction()

# lockstep_netlist(PROGRAM KIND POLICY value...): adds the gate netlist that yosys makes of rtl/, in cells of Debian's
# osu018 library where it is installed, else in AND, XOR and multiplexer gates. A warning of yosys is an error: it makes
# wrong netlists of some constructs and says no more than that.
find_program(YOSYS yosys)
find_file(GPUTLM_OSU018 osu018_stdcells.lib PATHS /usr/share/qflow/tech/osu018 NO_DEFAULT_PATH)
function(lockstep_netlist program kind policy)
  lockstep_name(name ${kind} ${policy} "${ARGN}")
  string(APPEND name _gates)
  set(TOP ${policy}_${kind})
  set(PARAMETERS "")
  foreach(parameter value IN ZIP_LISTS LOCKSTEP_${kind}_PARAMETERS ARGN)
    string(APPEND PARAMETERS " -set ${parameter} ${value}")
  endforeach()
  file(STRINGS ${PROJECT_SOURCE_DIR}/rtl/filelist.f SOURCES REGEX "\\.sv$")
  list(JOIN SOURCES " " SOURCES)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/netlists/${name})
  set(NETLIST ${folder}/${name}.v)
  if(GPUTLM_OSU018)
    set(MAP "dfflibmap -liberty ${GPUTLM_OSU018}\nabc -liberty ${GPUTLM_OSU018}\nselect -assert-none t:$*\n")
    # The cells as modules, with their functions, into the netlist.
    string(APPEND MAP "read_liberty ${GPUTLM_OSU018}\nflatten")
  else()
    set(MAP "abc -g AND,XOR,MUX")
  endif()
  configure_file(netlist.ys.in ${folder}/${name}.ys @ONLY)
  file(CONFIGURE OUTPUT ${folder}/filelist.f CONTENT "${name}.v\n")
  add_custom_command(OUTPUT ${NETLIST}
    COMMAND ${YOSYS} -q -e ".*" ${folder}/${name}.ys
    DEPENDS ${folder}/${name}.ys ${GPUTLM_RTL_SOURCES}
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}/rtl
    COMMENT "Synthesizing ${name}"
    VERBATIM)
  lockstep_design(${program} NAME ${name} KIND ${kind} POLICY ${policy} SIZE ${ARGN}
    # A word of which one bit depends on another looks like a loop to Verilator; yosys has found none among the bits.
    FILELIST ${folder}/filelist.f NETLIST ARGUMENTS -Wno-UNOPTFLAT DEPENDS ${NETLIST})
endfunction()

# lockstep_program(PROGRAM LIBRARY source...): an executable of the sources, the library, and the designs that were added.
function(lockstep_program program library)
  get_target_property(includes ${program}_designs LOCKSTEP_INCLUDES)
  get_target_property(rows ${program}_designs LOCKSTEP_ROWS)
  set(code "// Generated by cmake/LockstepDesigns.cmake.\n${includes}")
  foreach(kind IN LISTS LOCKSTEP_KINDS)
    string(APPEND code "#include \"${LOCKSTEP_${kind}_HEADER}\"\n")
  endforeach()
  string(APPEND code "#include \"testbench/lockstep/kind.h\"\n#include \"testbench/lockstep/observed_verilated.h\"\n\n")
  string(APPEND code "namespace gputlm {\n\nGPUTLM_REGISTER {\n${rows}}\n\n}  // namespace gputlm\n")
  set(table ${CMAKE_CURRENT_BINARY_DIR}/${program}_designs.cpp)
  file(WRITE ${table}.new "${code}")
  file(COPY_FILE ${table}.new ${table} ONLY_IF_DIFFERENT)
  add_executable(${program} ${ARGN} ${table})
  target_link_libraries(${program} PRIVATE ${library} ${program}_designs)
endfunction()
