# Verilog as C++: gputlm_verilate() and the target `gputlm_verilated`, Verilator's run-time library.
#
# It does not use Verilator's own CMake package, which runs Verilator while CMake configures. That package cannot take sources that
# the build makes (gate netlists, mutations), and compiles each model as many small files.
# Include it after VERILATOR is found.
execute_process(COMMAND ${VERILATOR} --getenv VERILATOR_ROOT OUTPUT_VARIABLE VERILATOR_ROOT
  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
# Options for generated code and Verilator's library: without our warnings and without sanitizers, under which they take minutes to
# compile.
set(GPUTLM_VERILATED_OPTIONS -w -O2)
if(GPUTLM_SANITIZE)
  list(APPEND GPUTLM_VERILATED_OPTIONS -fno-sanitize=all)
endif()

# gputlm_verilator_library(TARGET source...): of VERILATOR_ROOT/include.
function(gputlm_verilator_library target)
  list(TRANSFORM ARGN PREPEND ${VERILATOR_ROOT}/include/)
  add_library(${target} STATIC ${ARGN})
  target_include_directories(${target} SYSTEM PUBLIC
    $<BUILD_INTERFACE:${VERILATOR_ROOT}/include> $<BUILD_INTERFACE:${VERILATOR_ROOT}/include/vltstd>)
  target_compile_definitions(${target} PUBLIC $<BUILD_INTERFACE:VM_SC=0> PRIVATE VM_TRACE=1 VM_TRACE_FST=1 VM_COVERAGE=1)
  target_compile_options(${target} PRIVATE ${GPUTLM_VERILATED_OPTIONS})
endfunction()

gputlm_verilator_library(gputlm_verilated verilated.cpp verilated_threads.cpp)
target_link_libraries(gputlm_verilated PUBLIC Threads::Threads)
if(CMAKE_CXX_COMPILER_ID STREQUAL Clang)
  target_link_libraries(gputlm_verilated PUBLIC atomic)  # calls __atomic_is_lock_free, which g++ computes
endif()
gputlm_install_library(gputlm_verilated)

# gputlm_verilate(TARGET PREFIX name TOP module FILELIST file PARAMETERS name=value... ARGUMENTS argument...
#                 DEPENDS file... [OPTIMIZE level])
# Adds the class PREFIX, made from module TOP of the Verilog files that FILELIST names, to the library TARGET. Targets that link
# TARGET find its header. ARGUMENTS go to Verilator. DEPENDS: files from which the sources are made.
function(gputlm_verilate target)
  cmake_parse_arguments(ARG "" "PREFIX;TOP;FILELIST;OPTIMIZE" "PARAMETERS;ARGUMENTS;DEPENDS" ${ARGN})
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/verilated/${target}/${ARG_PREFIX})
  list(TRANSFORM ARG_PARAMETERS PREPEND -G)
  add_custom_command(
    OUTPUT ${folder}/${ARG_PREFIX}.h ${folder}/${ARG_PREFIX}__all.cpp
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${folder}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}
    COMMAND ${VERILATOR} --cc -O3 --no-timing --prefix ${ARG_PREFIX} --Mdir ${folder} --top-module ${ARG_TOP}
      ${ARG_PARAMETERS} ${ARG_ARGUMENTS} -F ${ARG_FILELIST}
    COMMAND ${CMAKE_COMMAND} -DFOLDER=${folder} -DPREFIX=${ARG_PREFIX} -P ${PROJECT_SOURCE_DIR}/cmake/JoinVerilated.cmake
    DEPENDS ${ARG_FILELIST} ${ARG_DEPENDS} ${PROJECT_SOURCE_DIR}/cmake/JoinVerilated.cmake
    COMMENT "Verilating ${ARG_PREFIX}"
    VERBATIM)
  target_sources(${target} PRIVATE ${folder}/${ARG_PREFIX}__all.cpp)
  if(ARG_OPTIMIZE)  # a source with options of its own, even empty ones, is left out of a unity build
    set_source_files_properties(${folder}/${ARG_PREFIX}__all.cpp PROPERTIES COMPILE_OPTIONS "${ARG_OPTIMIZE}")
  endif()
  target_include_directories(${target} SYSTEM PUBLIC $<BUILD_INTERFACE:${folder}>)
endfunction()

# gputlm_verilated_library(TARGET): an empty library for gputlm_verilate() to fill.
function(gputlm_verilated_library target)
  add_library(${target} STATIC)
  target_link_libraries(${target} PUBLIC gputlm_verilated)
  target_compile_options(${target} PRIVATE ${GPUTLM_VERILATED_OPTIONS})
  # Verilator's headers take a second for each source.
  set_target_properties(${target} PROPERTIES EXPORT_COMPILE_COMMANDS OFF UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 5)
endfunction()

file(GLOB GPUTLM_RTL_SOURCES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/rtl/*.sv ${PROJECT_SOURCE_DIR}/rtl/*.svh
  ${PROJECT_SOURCE_DIR}/rtl/*.vlt)
