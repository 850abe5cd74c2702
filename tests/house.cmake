# SPDX-License-Identifier: MIT
# The rules of the house that no compiler checks, docs/architecture.md:
#   a kernel in nodes/common/ is included from two families or more, one of a family by no other;
#   an include guard is made from its file's path;
#   no two headers define the same struct or enum tag;
#   the operating system is behind one door, engine/base/: no other file includes a header of it;
#   nodes reach files, time and memory through their task only;
#   no test sleeps and hopes that another process has got somewhere meanwhile.
# Run as: cmake -DROOT=<checkout> -P tests/house.cmake
cmake_minimum_required(VERSION 3.25)
set(faults 0)
function(fault)
  message(NOTICE ${ARGN})
  math(EXPR count "${faults} + 1")
  set(faults ${count} PARENT_SCOPE)
endfunction()

# The families that include common/<module>.h, by themselves or through other modules of common.
function(families_of module seen result)
  set(families "")
  foreach(user IN LISTS users_of_${module})
    if(NOT user MATCHES "^common/")
      string(REGEX REPLACE "/.*" "" family ${user})
      list(APPEND families ${family})
      continue()
    endif()
    string(REGEX REPLACE "^common/|\\.[ch]$" "" through ${user})
    if(NOT through IN_LIST seen)
      families_of(${through} "${seen};${through}" deeper)
      list(APPEND families ${deeper})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES families)
  set(${result} "${families}" PARENT_SCOPE)
endfunction()

file(GLOB_RECURSE node_files RELATIVE ${ROOT}/nodes ${ROOT}/nodes/*.c ${ROOT}/nodes/*.h)
foreach(path IN LISTS node_files)
  string(REGEX REPLACE "/.*" "" family ${path})
  file(STRINGS ${ROOT}/nodes/${path} includes REGEX "^#include \"[a-z]+/")
  foreach(line IN LISTS includes)
    string(REGEX MATCH "\"([a-z]+)/(.*)\\.h\"" unused "${line}")
    set(room ${CMAKE_MATCH_1})
    set(module ${CMAKE_MATCH_2})
    if(room STREQUAL "common")
      list(APPEND users_of_${module} ${path})
    elseif(NOT room STREQUAL family)
      fault("nodes/${path}: includes ${room}/${module}.h of another family: "
        "a kernel of two families lives in nodes/common/")
    endif()
  endforeach()
endforeach()
file(GLOB_RECURSE modules RELATIVE ${ROOT}/nodes/common ${ROOT}/nodes/common/*.h)
foreach(header IN LISTS modules)
  string(REGEX REPLACE "\\.h$" "" module ${header})
  families_of(${module} ${module} families)
  list(LENGTH families count)
  if(count LESS 2)
    fault("nodes/common/${header}: included by ${count} families (${families}): "
      "a kernel of one family lives in nodes/<family>/kernels/")
  endif()
endforeach()

file(GLOB_RECURSE headers RELATIVE ${ROOT}
  ${ROOT}/include/*.h ${ROOT}/engine/*.h ${ROOT}/nodes/*.h ${ROOT}/tests/*.h)
foreach(path IN LISTS headers)
  if(path MATCHES "^include/")
    string(REGEX REPLACE "^include/" "" name ${path})
  else()
    set(name "tw/${path}")
  endif()
  string(REGEX REPLACE "[/.]" "_" guard ${name})
  string(TOUPPER ${guard} guard)
  file(READ ${ROOT}/${path} text)
  string(FIND "${text}" "#ifndef ${guard}\n#define ${guard}\n" at)
  if(at EQUAL -1 AND NOT text MATCHES "no include guard")
    fault("${path}: its include guard is not ${guard}")
  endif()
  string(REGEX MATCHALL "\n(struct|enum) tw_[a-z0-9_]+ {" tags "${text}")
  foreach(tag IN LISTS tags)
    string(REGEX MATCH "tw_[a-z0-9_]+" tag "${tag}")
    if(DEFINED place_of_${tag})
      fault("${path}: ${tag} is already defined in ${place_of_${tag}}")
    endif()
    set(place_of_${tag} ${path})
  endforeach()
  # Static libraries link either of two functions of one name without a word.
  string(REGEX MATCHALL "\n[a-z][a-z0-9_ *]*[ *]tw_[a-z0-9_]+\\(" functions "${text}")
  foreach(function IN LISTS functions)
    string(REGEX MATCH "tw_[a-z0-9_]+\\($" function "${function}")
    string(REPLACE "(" "" function "${function}")
    if(DEFINED declared_${function} AND NOT declared_${function} STREQUAL path)
      fault("${path}: ${function}() is already declared in ${declared_${function}}")
    endif()
    set(declared_${function} ${path})
  endforeach()
endforeach()

# What POSIX or Windows has beyond the C library. uv.h and getopt.h are libraries' own doors.
set(system_headers "^#include <(sys/|netinet/|arpa/|unistd|fcntl|dirent|signal|pthread|sched|semaphore|termios|poll|pwd|grp|ftw|glob|dlfcn|spawn|windows|io\\.h|direct|process)")
file(GLOB_RECURSE sources RELATIVE ${ROOT} ${ROOT}/include/*.h ${ROOT}/engine/*.[ch] ${ROOT}/nodes/*.[ch])
list(FILTER sources EXCLUDE REGEX "^engine/base/")
foreach(path IN LISTS sources)
  file(STRINGS ${ROOT}/${path} includes REGEX "${system_headers}")
  foreach(line IN LISTS includes)
    fault("${path}: ${line}: headers of the operating system are for engine/base/ only")
  endforeach()
endforeach()

# What nodes include of the C library and the compiler: types, limits, memcpy(), exact mathematics,
# vectors.
foreach(path IN LISTS node_files)
  file(STRINGS ${ROOT}/nodes/${path} includes REGEX "^#include <")
  list(FILTER includes EXCLUDE REGEX "<(thalweg/[a-z_]+|float|immintrin|limits|math|stdbool|stddef|stdint|string)\\.h>")
  foreach(line IN LISTS includes)
    fault("nodes/${path}: ${line}: nodes have no other door than include/thalweg/")
  endforeach()
endforeach()

# Tests wait for what a process prints or writes: UNTIL() of tests/support/until.h, or in scripts a loop
# "until CONDITION; do sleep N; done" on one line. Where a pause is no wait: path|why.
set(pauses
  "tests/support/until.h|between two polls"
  "tests/trust/storm.c|how soon a run ends after a random time is what it measures"
  "tests/trust/killing.c|kills at random times"
  "tests/scaling/cluster.sh|between two polls of Slurm, in a loop that also mends its nodes"
  "tests/scaling/slurm.sh|between two polls of Slurm, in loops that also mend its queue; a controller that is away")
set(sleeps "(^|[^a-z_.])(sleep [0-9$]|(nano|u|uv_|clock_nano)?sleep *\\(|poll *\\(NULL|thrd_sleep)|time\\.sleep|setTimeout\\(done")
file(GLOB_RECURSE sources RELATIVE ${ROOT} ${ROOT}/tests/*.[ch] ${ROOT}/tests/*.sh ${ROOT}/tests/*.py ${ROOT}/.ci/*)
foreach(path IN LISTS sources)
  list(FILTER pauses EXCLUDE REGEX "^$")
  set(excused ${pauses})
  list(FILTER excused INCLUDE REGEX "^${path}\\|")
  file(STRINGS ${ROOT}/${path} lines REGEX "${sleeps}")
  list(FILTER lines EXCLUDE REGEX "until .*; do sleep [0-9.]+; done")
  if(lines AND NOT excused)
    fault("${path}: ${lines}: wait for what the other process prints or writes (tests/support/until.h)")
  endif()
endforeach()

if(faults GREATER 0)
  message(FATAL_ERROR "${faults} faults")
endif()
