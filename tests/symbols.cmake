# SPDX-License-Identifier: MIT
# What our objects import: no function of libm on data, nothing random, no clock, no locale, beyond
# the list below; nodes import nothing but the arithmetic of bytes (docs/determinism.md).
# cmake -DNM=nm -DOBJECTS=FILE -P symbols.cmake; FILE lists the objects, one a line.
cmake_policy(VERSION 3.25)

# Of libm, with its suffixes f and l. Not sqrt, floor, ceil, trunc, rint, fabs, copysign, ldexp,
# frexp and scalbn: IEEE 754 leaves one result for each, so all libraries agree.
set(libm "a?(cos|sin|tan)h?|atan2|sincos|cbrt|erfc?|exp|exp2|exp10|expm1|fdim|fmax|fmin|fmod|fma|hypot|j[01n]|y[01n]|l?gamma|tgamma|log|log2|log10|log1p|logb|l?l?(rint|round)|modf|nearbyint|nextafter|nexttoward|pow|pow10|remainder|remquo|drem|significand")
set(chance "rand|rand_r|srand|random|srandom|.rand48|arc4random.*|getrandom|getentropy|RAND_.*")
set(clocks "time|clock|clock_gettime|gettimeofday|timespec_get|localtime.*|gmtime.*|mktime|strftime|uv_hrtime|uv_now|uv_gettimeofday")
set(surroundings "getenv|setenv|setlocale|newlocale|uselocale|localeconv|strtod|strtof|strtold|atof|strtod_l|.*scanf|gethostname|uname|getpid|sysconf|sched_.*|system|popen|exec.*|fork|vfork|posix_spawn.*|dlopen|socket|connect|qsort|qsort_r|bsearch|strcoll|strxfrm")
set(forbidden "^((${libm})[fl]?|${chance}|${clocks}|${surroundings})$")

# symbol, object, why that does not reach a result
set(allowed
  "RAND_bytes      base/memory/crypto        the secret of a cache, which names its entries and nothing else"
  "getpid          base/os/process       names of temporary files; what a signal is sent to"
  "getenv          base/os/cpu           THALWEG_SIMD, which no result depends on"
  "sysconf         base/os/cpu           the number of processors, which no result depends on"
  "sched_getaffinity base/os/cpu         how many processors there are to use, and which"
  "sched_getcpu    base/os/cpu           where a thread that is woken is not to run"
  "sched_yield     base/os/cpu           whoever waits for another thread lets it have the processor"
  "nanosleep       base/os/cpu           whoever waits for long lets everybody have it"
  "localeconv      base/text/number        the decimal point is undone, whatever it is"
  "strtod          base/text/number        with a point of the locale's put in; correctly rounded"
  "strtof          base/text/number        the same"
  "getenv          base/os/path          where the cache is"
  "setenv          console/settings   the size of libuv's pool"
  "getenv          console/terminal   NO_COLOR, TERM and CI, which decide how messages look"
  "getenv          cli/commands/cmd_doctor     THALWEG_SIMD, which it reports"
  "timespec_get    cli/commands/cmd_doctor     whether the clock is set"
  "timespec_get    cluster/check_clock   how far a node's clock is off, which it reports"
  "uv_hrtime       session/run_session    how long the run took"
  "uv_hrtime       console/events         when things happened in a run, for who watches it"
  "getenv          task/pool           UV_THREADPOOL_SIZE, which no result depends on"
  "clock_gettime   base/os/process       how much processor time variants took"
  "clock_gettime   base/net/web_server_heads when the head of a request is late"
  "uv_hrtime       study/times      how long they took"
  "qsort           study/times      numbers: equal ones are alike"
  "qsort           study/shard_list shards by seeds: ties are told apart by name"
  "uv_hrtime       study/tuning     the same of trials"
  "uv_hrtime       mcp/server       when a client was told of progress last"
  "uv_hrtime       cli/mcp/run      how long the run took"
  "uv_hrtime       cli/mcp/compare  when an experiment must end"
  "uv_hrtime       study/experiment_run        how long seeds took, for the time left"
  "uv_hrtime       (task|run|runner|stream|cache)/.*             how long nodes took, when a run must end"
  "uv_now          runner/watch          how long events have come, before files are compared"
  "timespec_get    cache/store_file     when a temporary file is old"
  "time            cache/store_gc       when an entry was used last"
  "qsort           cache/store_gc       entries by age: ties are told apart by name"
  "qsort           graph/load/outputs exports by name, which are all different"
  "qsort           gate/lock_print    names, which are all different"
  "qsort           gate/snapshot_facts the same"
  "qsort           project/recipes paths, which are all different"
  "qsort           console/inputs names of files, which are all different"
  "getenv          format/gdal/gdal_library whether GDAL may be loaded; the bytes that it gives are digested"
  "qsort           format/mosaic_find  names of files, which are all different"
  "qsort           format/mosaic_place tiles by place: ties are told apart by name"
  "qsort           study/seeds   whole numbers: equal ones are alike"
  "qsort           study/statistics/paired  numbers: equal ones are alike"
  "qsort           study/statistics/indices the same"
  "qsort           study/statistics/bradley_terry the same"
  "qsort           study/statistics/front   points, which are told apart by their numbers"
  "qsort           report/verdict/choice      seeds by worth: ties are told apart by their order"
  "qsort           report/sections/sweeps the same"
  "qsort           report/sweep       numbers: equal ones are alike"
  "qsort           report/charts/rows  samples: ties are told apart by their seeds"
  "getenv          base/memory/block         MALLOC_PERTURB_, with which new memory is not zero; no result depends on it"
  "getenv          base/os/folder        where temporary folders are"
  "getenv          base/os/process       PATH, in which the commands of Slurm are looked up"
  "getenv          cli/options_read      the addresses and files of a remote cache, THALWEG_CACHE_*"
  "dlopen          base/os/library       libcurl, for a remote cache, whose every answer is verified; libmicrohttpd, which shows results"
  "socket          base/net/socket a port of this machine, at which results are shown"
  "getenv          console/annotate       GitHub's runner, for which errors are printed once more"
  "getenv          cli/gate/locks          CI, in which locks are not replaced"
  "posix_spawn.*   base/os/process       git, which is asked for a revision's files; what --checkout names")

# Nodes: memory is moved and compared, messages are printed, square roots are taken.
set(node_imports "^(tw_.*|mem(cpy|move|set|cmp|chr)|str(len|cmp|ncmp|ncpy|chr|spn|cspn)|(v?snprintf|memcpy|memset|memmove)(_chk)?|__(v?snprintf|memcpy|memset|memmove)_chk|sqrtf?|floorf?|ceilf?|truncf?|fabsf?|_GLOBAL_OFFSET_TABLE_|__stack_chk_fail|__assert_fail|__cpu_model|__cpu_indicator_init|__float.*|__fix.*|__div.*|__mod.*|__mul.*|__udiv.*|__umod.*|__(asan|ubsan|tsan|gcov|sanitizer|llvm).*|_ITM_.*|__gcov.*)$")

set(faults 0)
function(fault text)
  message("${text}")
  math(EXPR faults "${faults} + 1")
  set(faults ${faults} PARENT_SCOPE)
endfunction()

function(is_allowed symbol object result)
  set(${result} FALSE PARENT_SCOPE)
  foreach(row IN LISTS allowed)
    string(REGEX MATCH "^([^ ]+) +([^ ]+) " unused "${row}")
    set(name "^(${CMAKE_MATCH_1})$")
    set(file "engine/${CMAKE_MATCH_2}\\.c\\.o")
    if(symbol MATCHES "${name}" AND object MATCHES "${file}")
      set(${result} TRUE PARENT_SCOPE)
    endif()
  endforeach()
endfunction()

# Lines "object: U symbol".
execute_process(COMMAND ${NM} -A --undefined-only @${OBJECTS} OUTPUT_VARIABLE text
  COMMAND_ERROR_IS_FATAL ANY)
string(REGEX REPLACE "@[A-Za-z_0-9.@]+" "" text "${text}")
string(REPLACE "\n" ";" lines "${text}")
list(LENGTH lines count)
set(suspects ${lines})
list(FILTER suspects EXCLUDE REGEX " U (tw_|png_|json_|yaml_|str[cln]|mem|__)")
set(node_lines ${lines})
list(FILTER node_lines INCLUDE REGEX "/nodes/")
list(FILTER node_lines EXCLUDE REGEX " U tw_")
foreach(line IN LISTS suspects node_lines)
  string(REGEX MATCH "^(.*): +U (.*)$" unused "${line}")
  set(object ${CMAKE_MATCH_1})
  set(symbol ${CMAKE_MATCH_2})
  if(object MATCHES "/nodes/" AND NOT symbol MATCHES "${node_imports}")
    fault("${object} imports ${symbol}: nodes may not (docs/new-node.md)")
  elseif(symbol MATCHES "${forbidden}")
    is_allowed(${symbol} ${object} ok)
    if(NOT ok)
      fault("${object} imports ${symbol}: not in the list of tests/symbols.cmake")
    endif()
  endif()
endforeach()
if(count LESS 1000)
  fault("only ${count} imports were looked at")
endif()
if(faults GREATER 0)
  message(FATAL_ERROR "${faults} faults")
endif()
