# Kinds of designs in hardware: the folders testbench/kinds/KIND. A module of a kind is POLICY_KIND. Its kind.cmake says which
# designs of a kind are built:
#
# kind(KIND [RTL design...] [RTL_OPTIMIZE level]
#      DESIGNS design... [NETLISTS design...] [LARGE_DESIGNS design...] [LARGE_NETLISTS design...] [COVERED design...]
#      MUTATED size [BIT value suffix])
# A design is "POLICY SIZE"; the size has the values of the parameters in the order of the kind's ports.h, "32x16x4x14x0". BIT: the
# last parameter is a bit; names of designs with this value of it end with the suffix.
# RTL: designs that are built into the program as the policies POLICY@rtl, smaller ones first (RtlPolicies.cmake). The others belong
# to the regression, with the number of decisions that reach every point, unless 100000 do (LockstepDesigns.cmake). DESIGNS: the
# sources. NETLISTS: their netlists by yosys. LARGE_: checked only at night, as are those that others nearly
# repeat: compiling them takes longer than all checks. COVERED: run with Verilator's coverage. MUTATED: the size in which faults are planted, for each policy of DESIGNS.
set(kind_lists RTL DESIGNS NETLISTS LARGE_DESIGNS LARGE_NETLISTS COVERED BIT)
function(kind name)
  cmake_parse_arguments(KIND "" "MUTATED;RTL_OPTIMIZE" "${kind_lists}" ${ARGN})
  set(ports ${PROJECT_SOURCE_DIR}/testbench/kinds/${name}/ports.h)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${ports})
  file(READ ${ports} text)
  string(REGEX MATCHALL "P\\([a-z_]+, [A-Za-z]+," KIND_PARAMETERS "${text}")
  list(TRANSFORM KIND_PARAMETERS REPLACE "^.*, ([A-Za-z]+),$" "\\1")
  # The classes of the ports have the kind's name in CamelCase.
  string(REPLACE _ ";" words ${name})
  set(KIND_CLASS "")
  foreach(word IN LISTS words)
    string(SUBSTRING ${word} 0 1 first)
    string(SUBSTRING ${word} 1 -1 rest)
    string(TOUPPER ${first} first)
    string(APPEND KIND_CLASS ${first}${rest})
  endforeach()
  foreach(what CLASS PARAMETERS RTL_OPTIMIZE MUTATED ${kind_lists})
    set(KIND_${name}_${what} "${KIND_${what}}" PARENT_SCOPE)
  endforeach()
  set(KINDS ${KINDS} ${name} PARENT_SCOPE)
endfunction()
set(KINDS "")
file(GLOB kind_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/testbench/kinds/*/kind.cmake)
foreach(file IN LISTS kind_files)
  include(${file})
endforeach()

# kind_design(DESIGN): sets `policy`, `size` (a list) and `decisions` of a design in a kind.cmake.
macro(kind_design design)
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

# kind_parameters(RESULT KIND value...): NAME=VALUE of each parameter, as for Verilator.
function(kind_parameters result kind)
  set(parameters "")
  foreach(parameter value IN ZIP_LISTS KIND_${kind}_PARAMETERS ARGN)
    list(APPEND parameters ${parameter}=${value})
  endforeach()
  if(KIND_${kind}_BIT)
    list(TRANSFORM parameters REPLACE "=(.*)$" "=1'b\\1" AT -1)
  endif()
  set(${result} "${parameters}" PARENT_SCOPE)
endfunction()
