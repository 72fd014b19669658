# Sourced by the other scripts: installs what is missing, configures, builds. Changes nothing when all is there, leaves
# the caller's working directory alone, and keeps each step's output in build/logs, shown only when the step fails.
# shellcheck shell=bash
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
logs=$root/build/logs
export SYSTEMC_DISABLE_COPYRIGHT_MESSAGE=1

# Debian 12's names. CMakeLists.txt says what each library is for.
# shellcheck disable=SC2034 # used by the scripts that source this file
build_packages=(g++ cmake ninja-build ccache pkg-config libsystemc-dev libyaml-cpp-dev nlohmann-json3-dev libfmt-dev
  libcli11-dev liblzma-dev libboost-dev libgtest-dev libgmock-dev libbenchmark-dev xz-utils
  verilator zlib1g-dev yosys opensta qflow-tech-osu018)

# step LOG SENTENCE COMMAND...: says what happens, runs the command, shows the end of its output if it fails.
step() {
  local log=$logs/$1.log sentence=$2 status=0
  shift 2
  mkdir -p "$logs"
  echo "== $sentence"
  "$@" >"$log" 2>&1 </dev/null || status=$?
  if [ "$status" -ne 0 ]; then
    tail -n 80 "$log" >&2
    echo "failed with exit code $status: $sentence (all of its output: $log)" >&2
    exit "$status"
  fi
}

# missing_packages PACKAGE...: those that are not installed.
missing_packages() {
  local package
  for package in "$@"; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || echo "$package"
  done
}

# install_packages PACKAGE...: installs those that are missing.
install_packages() {
  if ! command -v dpkg-query >/dev/null; then
    echo "== this is no Debian: taking for granted what these packages of Debian 12 hold: $*"
    return
  fi
  local missing as_root=()
  mapfile -t missing < <(missing_packages "$@")
  [ ${#missing[@]} -gt 0 ] || return 0
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
      echo "packages are missing, and installing them takes root or sudo. As root, run:" >&2
      echo "  apt-get update && apt-get install --no-install-recommends ${missing[*]}" >&2
      exit 1
    fi
    as_root=(sudo)
  fi
  step packages-update "updating the package lists" "${as_root[@]}" apt-get update
  step packages "installing ${missing[*]}" "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install --yes --no-install-recommends "${missing[@]}"
}

# configure PRESET. Ninja notices every later change of the CMake files, but none of the presets.
configure() {
  local ninja=$root/build/$1/build.ninja
  if [ ! -f "$ninja" ] || [ "$root/CMakePresets.json" -nt "$ninja" ]; then
    step "configure-$1" "configuring build/$1" cmake -S "$root" --preset "$1"
  fi
}

# build PRESET
build() {
  configure "$1"
  step "build-$1" "building build/$1 (the first time takes minutes)" \
    cmake --build "$root/build/$1" --parallel "$(nproc)"
}
