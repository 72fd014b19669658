# Applies one mutation to a copy of rtl/:
#   cmake -DMUTATION=NAME.mutation -DRTL=folder -DTO=folder -P apply.cmake
# A mutation is a text file: `#` lines that say what is wrong, then lines `file: NAME`, `find: TEXT`, `replace: TEXT`
# (several groups of the three are applied one after the other) and `policies: NAME...`, whose modules it makes wrong.
# `step: NAME` is for ../formal/caught: the step of a sorter's proof that fails.
# A text holds no semicolon. It is an error when one is not found exactly once: the mutation no longer fits the source.
file(STRINGS ${MUTATION} lines)
# Files are written one by one: a copied folder may be a link, and an edit through it would reach the source.
file(REMOVE_RECURSE ${TO})
file(MAKE_DIRECTORY ${TO})
file(GLOB sources ${RTL}/*)
foreach(source IN LISTS sources)
  get_filename_component(name ${source} NAME)
  file(READ ${source} text)
  file(WRITE ${TO}/${name} "${text}")
endforeach()
foreach(line IN LISTS lines)
  if(line MATCHES "^file: (.*)$")
    set(file ${CMAKE_MATCH_1})
  elseif(line MATCHES "^find: (.*)$")
    set(find "${CMAKE_MATCH_1}")
  elseif(line MATCHES "^replace: (.*)$")
    set(replace "${CMAKE_MATCH_1}")
    file(READ ${TO}/${file} text)
    string(FIND "${text}" "${find}" first)
    string(FIND "${text}" "${find}" last REVERSE)
    if(first EQUAL -1 OR NOT first EQUAL last)
      message(FATAL_ERROR "${MUTATION}: this text does not occur exactly once in ${RTL}/${file}: ${find}")
    endif()
    string(REPLACE "${find}" "${replace}" text "${text}")
    file(WRITE ${TO}/${file} "${text}")
  elseif(NOT line MATCHES "^(#|policies: |step: )")
    message(FATAL_ERROR "${MUTATION}: found '${line}', allowed are #, file:, find:, replace:, policies: and step:")
  endif()
endforeach()
