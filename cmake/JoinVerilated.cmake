# Joins the C++ files that Verilator wrote to FOLDER for the class PREFIX. Their names are known only then, and one file compiles
# faster than many. The only name that is the same in every model gets the class as a prefix, so that models may be compiled
# together.
file(GLOB parts RELATIVE ${FOLDER} ${FOLDER}/${PREFIX}*.cpp)
list(SORT parts)
set(code "#define trace_init ${PREFIX}_trace_init\n")
foreach(part IN LISTS parts)
  string(APPEND code "#include \"${part}\"\n")
endforeach()
string(APPEND code "#undef trace_init\n")
file(WRITE ${FOLDER}/${PREFIX}__all.cpp "${code}")
