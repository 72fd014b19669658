# Files that `cmake --install` installs, and the package that find_package(gputlm) finds (gputlmConfig.cmake.in): the program, the
# libraries of tlm/, models/ and platform/ with their headers (gputlm::dram and so on), gputlm::hardware, and gputlm::plugin, with
# which a plugin of the program is compiled. Components: program, development and python; each is a Debian package
# (Packages.cmake).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(GPUTLM_INSTALL_INCLUDEDIR ${CMAKE_INSTALL_INCLUDEDIR}/gputlm)
set(GPUTLM_INSTALL_CMAKEDIR ${CMAKE_INSTALL_LIBDIR}/cmake/gputlm)

# gputlm_install_library(TARGET): other projects use gputlm_dram as gputlm::dram.
function(gputlm_install_library target)
  string(REGEX REPLACE "^gputlm_" "" name ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  set_property(GLOBAL APPEND PROPERTY GPUTLM_COMPONENTS ${name})
  install(TARGETS ${target} EXPORT gputlm ARCHIVE COMPONENT development)
endfunction()

# gputlm_install(PROGRAM): installs everything else. Call it after all libraries are known.
function(gputlm_install program)
  # A plugin finds the program's own copy of every symbol, so it is compiled with the headers and linked with nothing.
  add_library(gputlm_plugin INTERFACE)
  target_link_libraries(gputlm_plugin INTERFACE gputlm_options)
  gputlm_install_library(gputlm_plugin)

  install(TARGETS ${program} EXPORT gputlm RUNTIME COMPONENT program)
  install(DIRECTORY tlm models DESTINATION ${GPUTLM_INSTALL_INCLUDEDIR} COMPONENT development
    FILES_MATCHING PATTERN *.h PATTERN tools EXCLUDE)
  install(DIRECTORY platform/files platform/input platform/probes platform/run
    DESTINATION ${GPUTLM_INSTALL_INCLUDEDIR}/platform COMPONENT development FILES_MATCHING PATTERN *.h)
  # Designs in hardware as policies: gputlm::hardware.
  install(DIRECTORY testbench/ports testbench/kind testbench/kinds DESTINATION ${GPUTLM_INSTALL_INCLUDEDIR}/testbench
    COMPONENT development FILES_MATCHING REGEX "/(ports|kind/(at_most|hardware_policy)|kinds/[a-z_]+/(ports|in_hardware))[^/]*\\.h$"
    REGEX "/testbench/ports/[^/]*\\.h$" PATTERN faults EXCLUDE PATTERN counterexamples EXCLUDE)
  install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
  install(DIRECTORY third_party/echarts DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program
    FILES_MATCHING REGEX "/(LICENSE|NOTICE)[^/]*$")
  # The program prints its manual pages and shell completions.
  set(made ${PROJECT_BINARY_DIR}/install)
  install(CODE "
    file(MAKE_DIRECTORY \"${made}\")
    execute_process(COMMAND \"$<TARGET_FILE:${program}>\" man --out \"${made}/man\" COMMAND_ERROR_IS_FATAL ANY)
    foreach(script bash:gputlm zsh:_gputlm fish:gputlm.fish)
      string(REPLACE : \";\" script \${script})
      list(GET script 0 shell)
      list(GET script 1 name)
      execute_process(COMMAND \"$<TARGET_FILE:${program}>\" completion \${shell} OUTPUT_FILE \"${made}/\${name}\"
        COMMAND_ERROR_IS_FATAL ANY)
    endforeach()" COMPONENT program)
  install(DIRECTORY ${made}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program)
  install(FILES ${made}/gputlm DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT program)
  install(FILES ${made}/_gputlm DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions COMPONENT program)
  install(FILES ${made}/gputlm.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT program)
  install(DIRECTORY workloads DESTINATION ${CMAKE_INSTALL_DATADIR}/gputlm COMPONENT program)
  # The program contains these; they are installed for readers and for use in a design (docs/rtl.md).
  install(DIRECTORY rtl DESTINATION ${CMAKE_INSTALL_DATADIR}/gputlm COMPONENT program
    FILES_MATCHING PATTERN *.sv PATTERN *.svh PATTERN filelist.f PATTERN gputlm.core)
  # `pip install PREFIX/share/gputlm/python`, or PYTHONPATH (docs/python.md).
  install(DIRECTORY python DESTINATION ${CMAKE_INSTALL_DATADIR}/gputlm COMPONENT program
    FILES_MATCHING PATTERN *.py PATTERN py.typed PATTERN pyproject.toml PATTERN README.md)
  # Schemas for editors (docs/schemas.md), printed by the program.
  install(CODE "execute_process(COMMAND $<TARGET_FILE:${program}> schema --out
    \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}/gputlm/schema\" COMMAND_ERROR_IS_FATAL ANY)"
    COMPONENT program)

  install(EXPORT gputlm NAMESPACE gputlm:: FILE gputlmTargets.cmake DESTINATION ${GPUTLM_INSTALL_CMAKEDIR}
    COMPONENT development)
  get_property(GPUTLM_COMPONENTS GLOBAL PROPERTY GPUTLM_COMPONENTS)
  configure_package_config_file(cmake/gputlmConfig.cmake.in gputlmConfig.cmake
    INSTALL_DESTINATION ${GPUTLM_INSTALL_CMAKEDIR})
  # Before 1.0 any version may be incompatible.
  write_basic_package_version_file(gputlmConfigVersion.cmake COMPATIBILITY SameMinorVersion)
  install(FILES ${PROJECT_BINARY_DIR}/gputlmConfig.cmake ${PROJECT_BINARY_DIR}/gputlmConfigVersion.cmake
    cmake/systemc.cmake cmake/libyaml.cmake DESTINATION ${GPUTLM_INSTALL_CMAKEDIR} COMPONENT development)
endfunction()
