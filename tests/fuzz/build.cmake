# Configures and builds the libFuzzer programs: cmake -DSOURCE=folder -DBUILD=folder -P build.cmake
execute_process(COMMAND ${CMAKE_COMMAND} -S ${SOURCE} --preset fuzz -B ${BUILD} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${BUILD} --target fuzz COMMAND_ERROR_IS_FATAL ANY)
