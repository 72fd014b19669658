# The counter-examples that the solver has found, replayed against the C++ policies.
add_executable(test_formal ${CMAKE_CURRENT_LIST_DIR}/replay_test.cpp)
target_link_libraries(test_formal PRIVATE gputlm_dram GTest::gtest GTest::gmock GTest::gtest_main)
target_compile_definitions(test_formal PRIVATE GPUTLM_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
gtest_discover_tests(test_formal DISCOVERY_MODE PRE_TEST NO_PRETTY_VALUES PROPERTIES TIMEOUT 300)

# By day the arbiter with more state, with two applications and the cap's logic; at night three, too, and without it.
set(night_fr_fcfs nightly)
foreach(arbiter fr_fcfs fr_rr_fcfs)
  set(follow Follow=1)
  set(night "${night_${arbiter}}")
  if(arbiter STREQUAL fr_rr_fcfs)
    list(APPEND follow PrivateRows=1)
  endif()
  proved(${arbiter}.contract.8_entries.2_apps.has_cap_1 "${night}" ${arbiter} Apps=2 HasCap=1)
  proved(${arbiter}.contract.8_entries.2_apps.has_cap_0 nightly ${arbiter} Apps=2 HasCap=0)
  foreach(cap 0 1)
    proved(${arbiter}.contract.8_entries.3_apps.has_cap_${cap} nightly ${arbiter} Apps=3 HasCap=${cap})
  endforeach()
  # The assertions in rtl/ themselves.
  proved(${arbiter}.own_assertions.8_entries.3_apps nightly ${arbiter} Apps=3 OwnAssertions=1)
  # Where the controller follows: no request waits longer than its bound, and some do as long.
  proved(${arbiter}.waiting_bound.8_entries.3_apps.cap_1 nightly ${arbiter} Apps=3 ${follow} Cap=1)
  proved(${arbiter}.waiting_bound.8_entries.2_apps.cap_2 "${night}" ${arbiter} Apps=2 ${follow} Cap=2)
  refuted(${arbiter}.waiting_bound_less_1.8_entries.cap_2 "${night}" 12 ${arbiter} ${follow} Cap=2 Earlier=1)

  proved(${arbiter}.contract.16_entries.4_apps.4_banks nightly ${arbiter} Entries=16 Apps=4 Banks=4 RowW=4)
  proved(${arbiter}.contract.32_entries.4_apps.4_banks nightly ${arbiter} Entries=32 Apps=4 Banks=4 RowW=4)
  proved(${arbiter}.own_assertions.16_entries.4_apps nightly ${arbiter} Entries=16 Apps=4 OwnAssertions=1)
  proved(${arbiter}.waiting_bound.8_entries.4_apps.cap_4 nightly ${arbiter} Apps=4 ${follow} Cap=4)
endforeach()
proved(fr_fcfs.waiting_bound.16_entries.2_apps.cap_2 nightly fr_fcfs Entries=16 Follow=1 Cap=2)
# No turn is skipped without a cap either.
proved(fr_rr_fcfs.turns.8_entries.3_apps "" fr_rr_fcfs Apps=3 Follow=1 PrivateRows=1 HasCap=0)

# counterexample(NAME ARBITER CAP PARAMETER...): the solver still finds one, and the C++ policy decides the same.
set(found ${CMAKE_CURRENT_BINARY_DIR}/counterexamples)
file(MAKE_DIRECTORY ${found})
function(counterexample name)
  string(JOIN " " arguments ${ARGN})
  formal_test(counterexample.${name} ""
    bash -c "'${CMAKE_CURRENT_FUNCTION_LIST_DIR}/counterexample' ${arguments} > '${found}/${name}.events'")
  if(proofs)
    set_tests_properties(Formal.counterexample.${name} PROPERTIES FIXTURES_SETUP formal_found)
  endif()
endfunction()
counterexample(fr_fcfs_without_cap fr_fcfs 0)
counterexample(fr_rr_fcfs_without_cap fr_rr_fcfs 0 PrivateRows=1)
counterexample(fr_rr_fcfs_shared_rows fr_rr_fcfs 2)
if(proofs)
  formal_test(counterexample.replay "" test_formal)
  set_tests_properties(Formal.counterexample.replay PROPERTIES
    FIXTURES_REQUIRED formal_found ENVIRONMENT GPUTLM_COUNTEREXAMPLES=${found})
endif()
