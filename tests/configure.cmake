# SPDX-License-Identifier: MIT
# Configuring refuses flags that change the bytes of results, wherever they come from.
# cmake -DROOT=. -DFOLDER=new -P configure.cmake
cmake_policy(VERSION 3.25)

function(expect_refusal flag)
  file(REMOVE_RECURSE ${FOLDER})
  execute_process(COMMAND ${CMAKE_COMMAND} -E env --unset=CFLAGS ${ARGN} -S ${ROOT} -B ${FOLDER}
    RESULT_VARIABLE code OUTPUT_QUIET ERROR_VARIABLE messages)
  string(FIND "${messages}" "has ${flag}, which changes the bytes of results" at)
  if(code EQUAL 0 OR at EQUAL -1)
    message(FATAL_ERROR "${flag} is not refused: exit code ${code}\n${messages}")
  endif()
endfunction()

expect_refusal(-ffast-math ${CMAKE_COMMAND} "-DCMAKE_C_FLAGS=-g -ffast-math")
expect_refusal(-Ofast ${CMAKE_COMMAND} -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS_RELEASE=-Ofast)
expect_refusal(-ffp-contract=fast CFLAGS=-ffp-contract=fast ${CMAKE_COMMAND})
expect_refusal(-mfpmath=387 CFLAGS=-mfpmath=387 ${CMAKE_COMMAND})
file(REMOVE_RECURSE ${FOLDER})
