# Makes one file of the C++ files that Verilator wrote to FOLDER for the class PREFIX: their names are known only then,
# and one file compiles faster than many. The one name of theirs that is the same in every model gets the class before it, so
# that models may be compiled together.
file(GLOB parts RELATIVE ${FOLDER} ${FOLDER}/${PREFIX}*.cpp)
list(SORT parts)
set(code "#define trace_init ${PREFIX}_trace_init\n")
foreach(part IN LISTS parts)
  string(APPEND code "#include \"${part}\"\n")
endforeach()
string(APPEND code "#undef trace_init\n")
file(WRITE ${FOLDER}/${PREFIX}__all.cpp "${code}")
