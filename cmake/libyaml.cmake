# gputlm::libyaml: the C library of that name, by pkg-config, as Debian has it. Also a part of the installed package.
if(NOT TARGET gputlm::libyaml)
  add_library(gputlm::libyaml INTERFACE IMPORTED)
  find_package(PkgConfig REQUIRED)
  pkg_check_modules(LIBYAML REQUIRED IMPORTED_TARGET yaml-0.1)
  target_link_libraries(gputlm::libyaml INTERFACE PkgConfig::LIBYAML)
endif()
