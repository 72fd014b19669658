# Tests of programs that the default build leaves out: one test builds them, and the others wait for it.
include(GoogleTest)
cmake_host_system_information(RESULT GPUTLM_CORES QUERY NUMBER_OF_LOGICAL_CORES)

# gputlm_build_test(NAME TARGET LABEL): a test that builds TARGET. Tests that need it are FIXTURES_REQUIRED TARGET, so that CTest
# runs this one before any of them. It runs alone, because it uses all processors, and before all other tests, because otherwise
# it would wait until no test runs.
function(gputlm_build_test name target label)
  add_test(NAME ${name}
    COMMAND ${CMAKE_COMMAND} --build ${PROJECT_BINARY_DIR} --target ${target} --parallel ${GPUTLM_CORES})
  set_tests_properties(${name} PROPERTIES FIXTURES_SETUP ${target} RUN_SERIAL ON COST 10000 TIMEOUT 3600 LABELS "${label}")
endfunction()

# gputlm_late_tests(PROGRAM TARGET LABEL): the cases of a GoogleTest program that TARGET builds. Their names come from its
# sources, because the program may not exist when CTest starts.
function(gputlm_late_tests program target label)
  gtest_add_tests(TARGET ${program} TEST_LIST tests)
  gputlm_timeout("${label}" timeout)
  set_tests_properties(${tests} PROPERTIES TIMEOUT ${timeout} FIXTURES_REQUIRED ${target} LABELS "${label}")
endfunction()
