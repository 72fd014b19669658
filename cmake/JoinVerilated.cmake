# Makes one file of the C++ files that Verilator wrote to FOLDER for the class PREFIX: their names are known only then,
# and one file compiles faster than many.
file(GLOB parts RELATIVE ${FOLDER} ${FOLDER}/${PREFIX}*.cpp)
list(SORT parts)
set(code "")
foreach(part IN LISTS parts)
  string(APPEND code "#include \"${part}\"\n")
endforeach()
file(WRITE ${FOLDER}/${PREFIX}__all.cpp "${code}")
