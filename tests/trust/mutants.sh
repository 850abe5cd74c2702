#!/usr/bin/env bash
# Do the fast tests notice a wrong operator or number? Changes one at a time, compiles that object,
# links the tests that touch the file with it and runs them until one fails.
#
#   tests/trust/mutants.sh [--count N] [--seed N] [FILE...]     200 mutants of engine/ and nodes/
#
# Prints each survivor, and how many were killed. The tree is not touched: all is in build/mutants.
# A mutant whose object is that of the original is none, and not all that survives is a fault of
# the tests: what is left is to be read. Exit code 1 when more than one in twenty survives.
set -uo pipefail
cd "$(dirname "$0")/../.."
count=200 seed=1
while [ $# -gt 0 ]; do
  case $1 in
    --count) count=$2 && shift 2 ;;
    --seed) seed=$2 && shift 2 ;;
    *) break ;;
  esac
done
root=$PWD build=$PWD/build/mutants
mkdir -p "$build/mutant"
cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS=-O1 -DTW_HARDEN=OFF >"$build/log" &&
  cmake --build "$build" --target all >>"$build/log" || { tail -20 "$build/log" && exit 2; }
cd "$build"
ninja -t targets all | sed -n 's|^tests/\(test[^:]*\):.*EXECUTABLE.*|\1|p' >tests.txt

# Files with as many lines as they have places, so that all places are as likely.
list_places() {
  for file in "$@"; do
    places=$(tests/mutate "$root/$file")
    [ "$places" -gt 0 ] && yes "$file" | head -n "$places"
  done
}
[ $# -gt 0 ] || set -- $(cd "$root" && git ls-files 'engine/*.c' 'nodes/*.c')
list_places "$@" >places.txt

object_of() {
  case $1 in
    nodes/*) echo "CMakeFiles/tw_nodes.dir/$1.o" ;;
    engine/*) local layer=${1#engine/} && echo "CMakeFiles/tw_${layer%%/*}.dir/$1.o" ;;
  esac
}

# The headers of a kernel: its own, else those of its folder that it includes.
headers_of() { # folder/name of a kernel
  if [ -e "$root/nodes/$1.h" ]; then
    echo "$1.h"
  else
    sed -n "s|^#include \"\(${1%/*}/[a-z_]*\.h\)\"|\1|p" "$root/nodes/$1.c"
  fi
}

# Kinds of nodes that include a kernel's header, or a kernel or header that does; $2 is what was seen.
users_of() { # folder/name of a kernel, list
  local header user name
  for header in $(headers_of "$1"); do
    for user in $(cd "$root" && grep -l "#include \"$header\"" nodes/*/*.c nodes/*/kernels/*.[ch]); do
      name=${user#nodes/} name=${name%.[ch]}
      case " $2 $1 " in *" $name "*) continue ;; esac
      case $user in
        nodes/common/* | */kernels/*) users_of "$name" "$2 $1 $name" ;;
        *) basename "$name" ;;
      esac
    done
  done
}

# Tests that include a header, and tests of files of the engine that do.
tests_around() { # header
  local user
  for user in $(cd "$root" && grep -lr --include='test_*.c' "#include \"$1\"" tests); do
    user=${user#tests/}
    sed -E 's#(^|/)test_#\1#; s#\.c$##; s#/#.#g; s#^#test.#' <<<"$user"
  done
  for user in $(cd "$root" && grep -l "#include \"$1\"" engine/*/*.c engine/*/*/*.c); do
    user=$(basename "$user" .c)
    grep "^test\.\(engine\|cli\)\..*\.${user#cmd_}$" tests.txt
  done
}

# Names of test programs, those that know the file best first: a node's own and the digests of all
# nodes; those of a kernel's users; those of a layer of the engine and a few of the command; and the
# pages of all nodes and options, for rows that no bytes depend on.
tests_of() {
  local name=${1##*/} folder
  name=${name%.c}
  case $1 in
    nodes/*)
      grep "^test\.nodes\..*\b$name$" tests.txt
      tests_around "$(sed 's|^nodes/||; s|\.c$|.h|' <<<"$1")"
      printf 'test.%s\n' contract settings
      case $1 in nodes/common/* | */kernels/*)
        for user in $(users_of "$(sed 's|^nodes/||; s|\.c$||' <<<"$1")" "" | sort -u | head -4); do
          grep "^test\.nodes\..*\.$user$" tests.txt
        done ;;
      esac
      printf 'test.%s\n' forecast docs.pages ;;
    engine/*)
      folder=${1#engine/} folder=${folder%%/*}
      grep "^test\.engine\.$folder\..*\b$name$" tests.txt
      tests_around "$(sed 's|^engine/||; s|\.c$|.h|' <<<"$1")"
      grep "^test\.engine\.$folder\." tests.txt
      case $folder in experiment | run) echo test.cli.compare ;; esac
      case $folder in cli | gate) grep '^test\.cli\.' tests.txt ;; esac
      printf 'test.%s\n' cli.run cli.bad_input cli.mistakes engine.run.run engine.run.cached_run contract docs.pages ;;
  esac | grep -v 'erosion\.borders' | awk '!seen[$0]++'
}

# Links a program with the mutant instead of the object.
link_with() { # target, output, object
  local command
  command=$(ninja -t commands "$1" | tail -1)
  command=${command//" $3 "/" mutant/mutant.o "}
  case $command in
    *mutant/mutant.o*) ;;
    *) command=${command/" -o $1 "/" -o $1 mutant/mutant.o "} ;;
  esac
  eval "${command/" -o $1 "/" -o $2 "}" >/dev/null 2>&1
}

compile() { # file, object
  local command
  command=$(ninja -t commands "$2" | tail -1)
  command=${command/ -o $2 / -o mutant/mutant.o }
  eval "${command/ -c $root\/$1/ -I$root/$(dirname "$1") -c mutant/mutant.c}" >/dev/null 2>&1
}

# The test with the mutant in it; those of the command start that.
prepare() { # test, file, object
  case $2 in
    engine/cli/*) cp "tests/$1" "mutant/$1" ;;
    *) link_with "tests/$1" "mutant/$1" "$3" ;;
  esac
}

run_tests() { # file, object; true when one fails
  local test filter
  cp thalweg mutant/original
  link_with thalweg thalweg.new "$2" && mv thalweg.new thalweg
  for test in $(tests_of "$1"); do
    filter=""
    case $test in
      test.contract) filter='*s_*_o*' ;; # odd sizes and digests
      test.docs.pages) filter='*s_are_current' ;; # of nodes, options and rows
    esac
    prepare "$test" "$1" "$2" || continue
    # processor time: a loop without an end is a failure, a busy machine is none
    if ! (cd mutant && ulimit -t 60 -c 0 && THALWEG_TEST=$filter exec "./$test") >/dev/null 2>&1; then
      killer=$test
      cp mutant/original thalweg
      return 0
    fi
  done
  cp mutant/original thalweg
  return 1
}

killed=0 survived=0
RANDOM=$seed
total=$(wc -l <places.txt)
for ((tried = 0; killed + survived < count && tried < 10 * count; tried++)); do
  # not inside $(...): a subshell draws numbers of its own, which no seed repeats
  line=$(((RANDOM * 32768 + RANDOM) % total + 1)) number=$((RANDOM * 32768 + RANDOM))
  file=$(sed -n "${line}p" places.txt)
  object=$(object_of "$file")
  place=$(tests/mutate "$root/$file" $number mutant/mutant.c)
  compile "$file" "$object" && ! cmp -s mutant/mutant.o "$object" || continue
  if run_tests "$file" "$object" 2>/dev/null; then # bash reports programs that abort
    killed=$((killed + 1))
    [ -z "${VERBOSE:-}" ] || echo "killed by $killer: $file:$place"
  else
    survived=$((survived + 1))
    echo "survived: $file:$place"
  fi
done
echo "$killed of $((killed + survived)) mutants killed, seed $seed"
[ $((survived * 20)) -le $((killed + survived)) ]
