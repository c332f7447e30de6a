# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# Installs what is missing, and builds quietly; sourced by run and check. A need is a
# command on the path or a module of pkg-config. Nothing is installed, no network and no
# root are needed, when all needs are met.

say() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }

# What carries a need: Debian, Fedora, Arch, Homebrew.
packages() {
    case $1 in
        cc | c++)         echo 'build-essential gcc-c++ base-devel gcc' ;;
        meson)            echo 'meson meson meson meson' ;;
        ninja)            echo 'ninja-build ninja-build ninja ninja' ;;
        pkg-config)       echo 'pkg-config pkgconf-pkg-config pkgconf pkg-config' ;;
        python3)          echo 'python3 python3 python python' ;;
        nm)               echo 'binutils binutils binutils binutils' ;;
        clang-format)     echo 'clang-format clang-tools-extra clang clang-format' ;;
        Xvfb)             echo 'xvfb xorg-x11-server-Xvfb xorg-server-xvfb -' ;;
        xdotool)          echo 'xdotool xdotool xdotool -' ;;
        xmodmap)          echo 'x11-xserver-utils xmodmap xorg-xmodmap -' ;;
        man)              echo 'man-db man-db man-db -' ;;
        sdl2)             echo 'libsdl2-dev SDL2-devel sdl2 sdl2' ;;
        SDL2_ttf)         echo 'libsdl2-ttf-dev SDL2_ttf-devel sdl2_ttf sdl2_ttf' ;;
        libcjson)         echo 'libcjson-dev cjson-devel cjson cjson' ;;
        sentencepiece)    echo 'libsentencepiece-dev sentencepiece-devel sentencepiece sentencepiece' ;;
        libutf8proc)      echo 'libutf8proc-dev utf8proc-devel libutf8proc utf8proc' ;;
        libpng)           echo 'libpng-dev libpng-devel libpng libpng' ;;
        fontconfig)       echo 'libfontconfig-dev fontconfig-devel fontconfig fontconfig' ;;
        cairo-ft)         echo 'libcairo2-dev cairo-devel cairo cairo' ;;
        freetype2)        echo 'libfreetype-dev freetype-devel freetype2 freetype' ;;
        harfbuzz)         echo 'libharfbuzz-dev harfbuzz-devel harfbuzz harfbuzz' ;;
        libxxhash)        echo 'libxxhash-dev xxhash-devel xxhash xxhash' ;;
        cmocka)           echo 'libcmocka-dev libcmocka-devel cmocka cmocka' ;;
    esac
}

# Prints the names, in column $1, of the packages for the needs after it.
names() {
    local column=$1 need
    shift
    for need in "$@"; do
        packages "$need" | cut -d' ' -f"$column"
    done | grep -vx -e - | sort -u | tr '\n' ' '
}

# missing NEED...: prints those that are not there.
missing() {
    local need
    for need in "$@"; do
        command -v "$need" >/dev/null 2>&1 || pkg-config --exists "$need" 2>/dev/null ||
            echo "$need"
    done
}

# Debian and its family: installs the packages, as root or with sudo.
apt_install() {
    local become=()
    if [ "$(id -u)" -ne 0 ]; then
        if ! command -v sudo >/dev/null; then
            say "missing packages; as root: apt-get install -y $*"
            return 1
        fi
        become=(sudo)
    fi
    say "installing $*"
    local apt=("${become[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q
        -o DPkg::Lock::Timeout=120)
    { "${apt[@]}" update && "${apt[@]}" install -y --no-install-recommends "$@"; } >&2
}

# install_missing NEED...
install_missing() {
    local lacking
    lacking=$(missing "$@")
    [ -z "$lacking" ] && return 0
    # shellcheck disable=SC2046,SC2086
    if command -v apt-get >/dev/null; then
        apt_install $(names 1 $lacking) || return 1
        lacking=$(missing "$@" | tr '\n' ' ')
        [ -z "$lacking" ] && return 0
        say "still not found after installing: $lacking"
    elif command -v dnf >/dev/null; then
        say "missing packages; install them: sudo dnf install $(names 2 $lacking)"
    elif command -v pacman >/dev/null; then
        say "missing packages; install them: sudo pacman -S $(names 3 $lacking)"
    elif command -v brew >/dev/null; then
        say "missing packages; install them: brew install $(names 4 $lacking)"
    else
        say "not found: $(echo "$lacking" | tr '\n' ' ')"
    fi
    return 1
}

# quietly LOG COMMAND...: runs it with its output in LOG, which is shown when it fails.
quietly() {
    local log=$1
    shift
    mkdir -p "${log%/*}"
    if ! "$@" >"$log" 2>&1; then
        say "failed: $*"
        tail -n 60 "$log" >&2
        return 1
    fi
}

# configure DIRECTORY [MESON OPTION...]: sets a build directory up, once.
configure() {
    local directory=$1
    shift
    [ -f "$directory/build.ninja" ] && return 0
    quietly "$directory/setup.log" meson setup "$directory" "$@"
}

# shellcheck disable=SC2034
build_needs=(cc c++ meson ninja pkg-config python3 sdl2 SDL2_ttf libcjson sentencepiece
    libutf8proc libpng fontconfig cairo-ft freetype2 harfbuzz libxxhash
    cmocka)
