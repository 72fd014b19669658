# Configures and builds the libFuzzer programs: cmake -DSOURCE=folder -DBUILD=folder -P build.cmake
# Not optimised: for attacks of some seconds each, the compiler would take longer than they do.
execute_process(COMMAND ${CMAKE_COMMAND} -S ${SOURCE} --preset fuzz -B ${BUILD}
  "-DCMAKE_CXX_FLAGS_RELEASE=-O0 -gline-tables-only" COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${BUILD} --target fuzz COMMAND_ERROR_IS_FATAL ANY)
