# Tests of programs that the default build leaves out: one test builds them, and the others wait for it.
include(GoogleTest)
cmake_host_system_information(RESULT GPUTLM_CORES QUERY NUMBER_OF_LOGICAL_CORES)

# gputlm_build_test(NAME TARGET LABEL): a test that builds TARGET. Tests that take it are FIXTURES_REQUIRED TARGET, so CTest
# runs this one first whenever it runs one of them. It runs alone, as it takes all processors, and first of all, since a
# test that runs alone would else wait for a moment in which none runs.
function(gputlm_build_test name target label)
  add_test(NAME ${name}
    COMMAND ${CMAKE_COMMAND} --build ${PROJECT_BINARY_DIR} --target ${target} --parallel ${GPUTLM_CORES})
  set_tests_properties(${name} PROPERTIES FIXTURES_SETUP ${target} RUN_SERIAL ON COST 10000 TIMEOUT 3600 LABELS "${label}")
endfunction()

# gputlm_late_tests(PROGRAM TARGET): the cases of a GoogleTest program that TARGET builds. Their names are read from its
# sources, as there may be no program to ask when CTest starts.
function(gputlm_late_tests program target)
  gtest_add_tests(TARGET ${program} TEST_LIST tests)
  gputlm_timeout("" timeout)
  set_tests_properties(${tests} PROPERTIES TIMEOUT ${timeout} FIXTURES_REQUIRED ${target})
endfunction()
