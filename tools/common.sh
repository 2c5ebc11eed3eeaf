# Shared by the scripts of this folder: where the repository is, installing what is missing, configuring and building.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd_root() { cd "$root"; }

say() { printf '%s\n' "$*" >&2; }

# What the program is built from; each is a package of Debian 12.
program_packages=(g++ cmake ninja-build libtomlplusplus-dev libhdf5-dev libcli11-dev libfmt-dev nlohmann-json3-dev libssl-dev zlib1g-dev
  libeigen3-dev libboost-dev coinor-libclp-dev libhowardhinnant-date-dev pkg-config tzdata libjs-dygraphs libjs-chart.js)
test_packages=(catch2 libglpk-dev chromium libopenmpi-dev openmpi-bin groff-base dpkg-dev file python3-h5py python3-h5netcdf python3-pandas python3-xarray)
sanitizer_packages=(clang-14 libomp-14-dev libclang-rt-14-dev util-linux)
bench_packages=(libbenchmark-dev)
style_packages=(clang-format-14)
tidy_packages=(clang-tidy-14)

# need PACKAGE...: installs those that are not there yet, and says which. Nothing is asked of the network when all are there.
need() {
  if ! command -v dpkg-query >/dev/null; then
    say "This is no Debian system: these packages, or your system's like of them, must be there: $*"
    return
  fi
  local missing=() package
  for package in "$@"; do
    [[ $(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true) == installed ]] || missing+=("$package")
  done
  ((${#missing[@]})) || return 0
  local as_root=()
  if ((EUID != 0)); then
    if ! command -v sudo >/dev/null; then
      say "error: these packages are missing: ${missing[*]}"
      say "  install them as root: apt-get install ${missing[*]}"
      exit 1
    fi
    as_root=(sudo)
  fi
  mkdir -p "$root/build"
  say "Installing with apt: ${missing[*]}"
  local quiet=(-y -q -o Dpkg::Use-Pty=0 --no-install-recommends)
  if ! "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install "${quiet[@]}" "${missing[@]}" >"$root/build/apt.log" 2>&1; then
    # A new machine has no package lists yet, an old one stale ones.
    "${as_root[@]}" apt-get update -q >"$root/build/apt.log" 2>&1 &&
      "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install "${quiet[@]}" "${missing[@]}" >>"$root/build/apt.log" 2>&1 || {
      cat "$root/build/apt.log" >&2
      say "error: apt could not install ${missing[*]}"
      say "  the lines above say why; after mending it, start this script again"
      exit 1
    }
  fi
}

# build PRESET [TARGET...]: configures (once) and builds; shows the compiler's lines only when something fails.
build() {
  local preset=$1
  shift
  local folder="$root/build/$preset" launcher=() log
  mkdir -p "$folder"
  log="$folder/build.log"
  if command -v ccache >/dev/null; then
    launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
    export CCACHE_SLOPPINESS=pch_defines,time_macros
  fi
  say "Building ($preset) ..."
  if ! { cmake --preset "$preset" -S "$root" "${launcher[@]}" && cmake --build "$folder" ${@:+--target "$@"}; } >"$log" 2>&1; then
    tail -n 60 "$log" >&2
    say "error: the build failed; the whole log: $log"
    exit 1
  fi
}
