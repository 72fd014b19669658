# Sourced by the other scripts: installs missing packages, configures, builds. Prints each step, its progress and its time.
# Changes nothing if everything is up to date, does not change the caller's working directory, and keeps the output of each step
# in build/logs, which it shows only if the step fails.
# shellcheck shell=bash
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
logs=$root/build/logs
export SYSTEMC_DISABLE_COPYRIGHT_MESSAGE=1

# Debian 12's names. What the program takes, and what the tests take beside it. ccache is used where it is installed.
# shellcheck disable=SC2034 # used by the scripts that source this file
run_packages=(g++ cmake ninja-build pkg-config libsystemc-dev libyaml-dev nlohmann-json3-dev libfmt-dev
  libcli11-dev liblzma-dev libzstd-dev zlib1g-dev libboost-dev libsqlite3-dev gnuplot-nox verilator)
# shellcheck disable=SC2034
fuzz_packages=(clang libclang-rt-dev)
# shellcheck disable=SC2034
test_packages=("${run_packages[@]}" "${fuzz_packages[@]}" libgtest-dev libgmock-dev libbenchmark-dev xz-utils
  zsh fish groff-base yosys cadical opensta qflow-tech-osu018 nodejs chromium chromium-driver
  python3-pytest python3-jsonschema python3-yaml python3-pandas mypy python3-pip python3-setuptools python3-wheel
  slurmctld slurmd slurm-client munge sqlite3 dpkg-dev file
  mkdocs mkdocs-material)

# took SECONDS: in words
took() {
  if [ "$1" -lt 60 ]; then echo "$1 s"; else echo "$(($1 / 60)) min $(($1 % 60)) s"; fi
}

# step LOG SENTENCE COMMAND...: says what happens, runs the command, says how long it took, shows the end of its output
# if it fails.
step() {
  local log=$logs/$1.log sentence=$2 status=0 began=$SECONDS
  shift 2
  mkdir -p "$logs"
  echo "== $sentence"
  "$@" >"$log" 2>&1 </dev/null || status=$?
  [ "$status" -eq 0 ] || failed "$status" "$sentence" "$log"
  echo "   $(took $((SECONDS - began)))"
}

# failed STATUS SENTENCE LOG
failed() {
  tail -n 80 "$3" >&2
  echo "failed with exit code $1: $2 (all of its output: $3)" >&2
  exit "$1"
}

# show_progress LOG: copies ninja's output, which begins each line with a percentage, to LOG, and says how far it is: on
# a terminal in place, elsewhere every 10 %.
show_progress() {
  local line shown=0 began=$SECONDS percent
  while IFS= read -r line; do
    printf '%s\n' "$line" >&3
    [[ $line =~ ^\[\ *([0-9]+)%\] ]] || continue
    percent=${BASH_REMATCH[1]}
    if [ -t 1 ]; then
      printf '\r   %3d %%, %s\033[K' "$percent" "$(took $((SECONDS - began)))"
    elif [ $((percent / 10)) -gt $((shown / 10)) ]; then
      printf '   %3d %%, %s\n' "$percent" "$(took $((SECONDS - began)))"
      shown=$percent
    fi
  done 3>"$1"
  if [ -t 1 ]; then printf '\r\033[K'; fi
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

# configure PRESET program|tests: with all the tests, or without them unless they are there already (the packages that
# they take may be missing). Ninja notices every later change of the CMake files, but none of the presets.
configure() {
  local folder=$root/build/$1 options=()
  if [ "$2" = program ] && [ ! -f "$folder/CMakeCache.txt" ]; then
    options=(-DGPUTLM_TESTS=OFF -DGPUTLM_BENCHMARKS=OFF)
  elif [ "$2" = tests ] && grep -qs '^GPUTLM_TESTS:BOOL=OFF' "$folder/CMakeCache.txt"; then
    options=(-DGPUTLM_TESTS=ON -DGPUTLM_BENCHMARKS=ON)
  elif [ -f "$folder/build.ninja" ] && [ ! "$root/CMakePresets.json" -nt "$folder/build.ninja" ]; then
    return
  fi
  step "configure-$1" "configuring build/$1" cmake -S "$root" --preset "$1" "${options[@]}"
}

# build PRESET [TARGET]: all there is unless told a target
build() {
  local log=$logs/build-$1${2:+-$2}.log sentence="building build/$1${2:+/$2}" status=0 began=$SECONDS
  mkdir -p "$logs"
  echo "== $sentence, $(nproc) files at a time"
  # Measured without a compiler cache, as the sum over its files.
  [ -e "$root/build/$1/gputlm" ] || echo "   the program's first build takes some 11 minutes of a processor"
  NINJA_STATUS='[%p] ' cmake --build "$root/build/$1" --parallel "$(nproc)" ${2:+--target "$2"} </dev/null 2>&1 |
    show_progress "$log" || status=$?
  [ "$status" -eq 0 ] || failed "$status" "$sentence" "$log"
  echo "   $(took $((SECONDS - began)))"
}
