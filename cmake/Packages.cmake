# Debian packages of what Install.cmake installs, made by `cpack` in the build folder (scripts/package): gputlm, gputlm-dev
# and python3-gputlm. dpkg-shlibdeps finds the libraries of the program. Programs that it starts are recommended if large parts
# need them, otherwise suggested.

# Python finds a Debian package there; `cmake --install` of everything does not touch Python's folders.
install(DIRECTORY python/gputlm DESTINATION lib/python3/dist-packages COMPONENT python EXCLUDE_FROM_ALL
  FILES_MATCHING PATTERN *.py PATTERN py.typed)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_COMPONENTS_ALL program development python)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_CONTACT "The gputlm maintainers <gputlm@localhost>")
set(CPACK_PACKAGE_CHECKSUM SHA256)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
# Files are sorted, so that the same build gives the same packages.
set(CPACK_DEBIAN_ARCHIVE_TYPE gnutar)
set(version "(= ${PROJECT_VERSION})")

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME gputlm)
set(CPACK_DEBIAN_PROGRAM_DESCRIPTION "The program: thread-block, warp and memory schedulers that know which
application a request belongs to, with RTL of the arbiters and what they
cost.")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS gnuplot-nox)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS
  "gputlm-dev, python3-gputlm, verilator, g++, yosys, cadical, opensta, qflow-tech-osu018")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME gputlm-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "Its units for SystemC platforms, and headers of its plugins: static
libraries and a CMake package, find_package(gputlm).")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "gputlm ${version}, pkg-config, libsystemc-dev, libyaml-dev, \
nlohmann-json3-dev, libfmt-dev, liblzma-dev, libzstd-dev, zlib1g-dev")

set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-gputlm)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_PYTHON_DESCRIPTION "In Python: makes workloads, runs them and reads what came out.")
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "gputlm ${version}, python3 (>= 3.9)")
set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS python3-pandas)

include(CPack)
