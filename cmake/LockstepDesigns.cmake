# Programs of the lockstep bench: a program has designs (arbiters, sorters and admissions of rtl/, verilated) and a table
# of them. A design's KIND is arbiter, sorter or admission, its module POLICY_KIND, its SIZE the values of these parameters, in this order;
# the last one, a bit, and what its name says for the value that is no default:
set(LOCKSTEP_PARAMETERS_OF_arbiter Entries Banks Apps RowW HasCap)
set(LOCKSTEP_BIT_OF_arbiter 1 _cap)
set(LOCKSTEP_PARAMETERS_OF_sorter Warps Groups BudgetW FullOrder)
set(LOCKSTEP_BIT_OF_sorter 0 _pick)
set(LOCKSTEP_PARAMETERS_OF_admission Entries Apps LengthW HasShared)
set(LOCKSTEP_BIT_OF_admission 0 _partition)

# lockstep_name(RESULT KIND POLICY SIZE): e.g. fr_fcfs_16x8x3_cap: entries, banks, applications; qaws_16x2x8_pick: warps,
# groups, bits of a budget; reserved_32x2x3_partition: entries, applications, bits of an access's length.
function(lockstep_name result kind policy size)
  list(SUBLIST size 0 3 numbers)
  list(JOIN numbers x numbers)
  list(GET size -1 bit)
  list(GET LOCKSTEP_BIT_OF_${kind} 0 named)
  list(GET LOCKSTEP_BIT_OF_${kind} 1 suffix)
  if(NOT bit EQUAL named)
    set(suffix "")
  endif()
  set(${result} ${policy}_${numbers}${suffix} PARENT_SCOPE)
endfunction()

# lockstep_design(PROGRAM NAME name KIND kind POLICY policy SIZE value... FILELIST file [NETLIST] [ARGUMENTS argument...]
#                 [DEPENDS file...])
# Adds a design to the program's table; FILELIST and DEPENDS: as in gputlm_verilate(). NETLIST: the parameters are part
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
    foreach(parameter value IN ZIP_LISTS LOCKSTEP_PARAMETERS_OF_${ARG_KIND} ARG_SIZE)
      list(APPEND parameters ${parameter}=${value})
    endforeach()
    list(TRANSFORM parameters REPLACE "=(.*)$" "=1'b\\1" AT -1)
  endif()
  gputlm_verilate(${library} PREFIX V${ARG_NAME} TOP ${ARG_POLICY}_${ARG_KIND} FILELIST ${ARG_FILELIST}
    PARAMETERS ${parameters}
    # Registers without a reset start with random contents.
    ARGUMENTS --trace-fst --x-initial unique --x-assign unique ${ARG_ARGUMENTS}
    DEPENDS ${ARG_DEPENDS})
  set_property(TARGET ${library} APPEND PROPERTY LOCKSTEP_NAMES ${ARG_NAME})
  set_property(TARGET ${library} APPEND_STRING PROPERTY LOCKSTEP_INCLUDES "#include \"V${ARG_NAME}.h\"\n")
  list(JOIN ARG_SIZE ", " size)
  string(REGEX REPLACE "^arbiter$" "Arbiter" class ${ARG_KIND})
  string(REGEX REPLACE "^sorter$" "Sorter" class ${class})
  string(REGEX REPLACE "^admission$" "Admission" class ${class})
  set_property(TARGET ${library} APPEND_STRING PROPERTY LOCKSTEP_ROWS
    "      std::make_shared<${class}Design>(\"${ARG_NAME}\", \"${ARG_POLICY}\", ${class}Size{${size}},\n        make_observed<Rtl${class}, Verilated${class}<V${ARG_NAME}>>),\n")
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
  foreach(parameter value IN ZIP_LISTS LOCKSTEP_PARAMETERS_OF_${kind} ARGN)
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

# lockstep_program(PROGRAM source...): an executable of the sources, the bench, and the designs that were added.
function(lockstep_program program)
  get_target_property(includes ${program}_designs LOCKSTEP_INCLUDES)
  get_target_property(rows ${program}_designs LOCKSTEP_ROWS)
  set(code "// Generated by cmake/LockstepDesigns.cmake.\n#include <memory>\n\n${includes}")
  string(APPEND code "#include \"models/dram/rtl_admission_verilated.h\"\n#include \"models/dram/rtl_verilated.h\"\n#include \"models/sm/rtl_verilated.h\"\n")
  string(APPEND code "#include \"testbench/lockstep/admission/bench.h\"\n")
  string(APPEND code "#include \"testbench/lockstep/arbiter/bench.h\"\n#include \"testbench/lockstep/sorter/bench.h\"\n")
  string(APPEND code "#include \"testbench/lockstep/observed_verilated.h\"\n\nnamespace gputlm {\n\n")
  string(APPEND code "const std::vector<std::shared_ptr<const Design>>& designs() {\n")
  string(APPEND code "  static const std::vector<std::shared_ptr<const Design>> all{\n${rows}  };\n")
  string(APPEND code "  return all;\n}\n\n}  // namespace gputlm\n")
  set(table ${CMAKE_CURRENT_BINARY_DIR}/${program}_designs.cpp)
  file(WRITE ${table}.new "${code}")
  file(COPY_FILE ${table}.new ${table} ONLY_IF_DIFFERENT)
  add_executable(${program} ${ARGN} ${table})
  target_link_libraries(${program} PRIVATE gputlm_lockstep ${program}_designs)
endfunction()
