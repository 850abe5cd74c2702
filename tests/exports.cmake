# SPDX-License-Identifier: MIT
# The shared library exports what include/thalweg/ declares with TW_API, all of it and nothing else,
# so that no program comes to depend on what may change and no name meets one of the program's.
# cmake -DNM=nm -DLIBRARY=libthalweg.so -DHEADERS=include/thalweg -P exports.cmake
cmake_policy(VERSION 3.25)
execute_process(COMMAND ${NM} -D --defined-only --format=posix ${LIBRARY} OUTPUT_VARIABLE text
  COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[^\n]+" lines "${text}")
list(TRANSFORM lines REPLACE "[ @].*" "" OUTPUT_VARIABLE exported)

set(declared "")
file(GLOB headers ${HEADERS}/*.h)
foreach(header IN LISTS headers)
  file(READ ${header} text)
  string(REGEX MATCHALL "TW_API [^;(]*[ *](tw_[a-z0-9_]+)\\(" matches "${text}")
  list(TRANSFORM matches REPLACE "^.*[ *](tw_[a-z0-9_]+)\\($" "\\1")
  list(APPEND declared ${matches})
endforeach()

set(hidden ${declared})
list(REMOVE_ITEM hidden ${exported})
set(leaked ${exported})
list(REMOVE_ITEM leaked ${declared})
list(LENGTH declared count)
if(hidden OR leaked OR count LESS 40)
  message(FATAL_ERROR "of ${count} functions declared with TW_API, not exported: ${hidden}; "
    "exported, but not declared: ${leaked}")
endif()
