# gputlm::systemc: SystemC by its own CMake package, which a user's own build brings, or else by pkg-config, as Debian
# has it. Also a part of the installed package.
if(NOT TARGET gputlm::systemc)
  add_library(gputlm::systemc INTERFACE IMPORTED)
  find_package(SystemCLanguage QUIET)
  if(SystemCLanguage_FOUND)
    target_link_libraries(gputlm::systemc INTERFACE SystemC::systemc)
  else()
    find_package(PkgConfig REQUIRED)
    pkg_check_modules(SYSTEMC REQUIRED IMPORTED_TARGET systemc)
    target_link_libraries(gputlm::systemc INTERFACE PkgConfig::SYSTEMC)
  endif()
endif()
