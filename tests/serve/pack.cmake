# SPDX-License-Identifier: MIT
# engine/serve/page/pack.cmake: what it takes out of a page, what it leaves alone, and what it refuses; and the weight
# of the page that browsers get.
# Run as: cmake -DROOT=<checkout> -DBUILD=<build folder> -P tests/serve/pack.cmake
cmake_minimum_required(VERSION 3.25)
include(${ROOT}/engine/serve/page/pack.cmake)

# In a process of its own, since a refusal ends it.
if(DEFINED REFUSED)
  tw_page_pack_js(REFUSED)
  return()
endif()

set(faults 0)
function(expect kind source packed)
  cmake_language(CALL tw_page_pack_${kind} source)
  if(NOT source STREQUAL packed)
    message(NOTICE "${kind}: ${ARGV1}\n  is packed to: ${source}\n  expected:     ${packed}")
    math(EXPR faults "${faults} + 1")
    set(faults ${faults} PARENT_SCOPE)
  endif()
endfunction()
function(expect_refusal source)
  execute_process(COMMAND ${CMAKE_COMMAND} "-DREFUSED=${source}" -DROOT=${ROOT} -P ${CMAKE_CURRENT_FUNCTION_LIST_FILE}
    RESULT_VARIABLE code OUTPUT_QUIET ERROR_QUIET)
  if(code EQUAL 0)
    message(NOTICE "js: ${source}\n  is not refused")
    math(EXPR faults "${faults} + 1")
    set(faults ${faults} PARENT_SCOPE)
  endif()
endfunction()

expect(js "const a = 1; /* one\n * two */\n\n    const b = a + 2;\n" "let a=1;let b=a+2;")
expect(js "f(\n    a,\n    [b, c,],\n);\nif (x) {\n    y();\n}\nz();\n" "f(a,[b,c]);if(x){y()}z();")
expect(js [[const f = (a) => a * 0.5 + 10.5;]] [[let f=a=>a*.5+10.5;]])
expect(js [[const f = async (a) => ({ b: a ? .5 : 0 });]] [[let f=async(a)=>({b:a?.5:0});]])
expect(js "const [a, , b] = c;\nreturn typeof a;" "let[a,,b]=c;return typeof a;")
# Literals stay: spaces, comments and quotes in them are no code.
expect(js [[say("a , b /* c */ \" , d", "");]] [[say("a , b /* c */ \" , d","");]])
expect(js [[say(`a , b ${c + d} " e`);]] [[say(`a , b ${c + d} " e`);]])
expect(js [[/* it's "one" of `two` */a = /^.*\//;]] [[a=/^.*\//;]])
# A template of several lines is a shader.
expect(js "const S = `#version 300 es\n    float at(vec2 p) { return p.x * .5; }\n`;"
  "let S=`#version 300 es\nfloat at(vec2 p){return p.x*.5;}`;")
expect_refusal([[a = `b ${c ? `d` : e}`;]])
expect_refusal([[a = b.split(/ +/);]])
expect_refusal([[a = b.split(/"/);]])
expect_refusal([[a = b - -c;]])
expect_refusal([[a = 'b';]])

expect(css "a,\nb > c { margin: 0 1px; color: red; } /* c */\n\n@media (max-width: 760px) {\n  d e { top: calc(1px + 2px); }\n}\n"
  "a,b > c{margin:0 1px;color:red}@media (max-width:760px){d e{top:calc(1px + 2px)}}")
expect(css ":root {\n  --sheet: red;\n  --on-sheet: blue;\n}\na { color: var(--sheet); width: var(--wide, 2px); top: var(--on-sheet); }\n"
  ":root{--a:red;--b:blue}a{color:var(--a);width:var(--wide,2px);top:var(--b)}")
expect(css [[i::after { content: "a ; b"; }]] [[i::after{content:"a ; b"}]])
expect(html "<a id=\"b\" class=\"c d\" name=\"e\">" "<a id=b class=\"c d\" name=\"e\">")
expect(html "<p>\n  <b>a</b>\n\n  c\n</p>\n" "<p>\n<b>a</b>\nc\n</p>\n")

set(weight 0)
foreach(part IN ITEMS html css js)
  file(SIZE ${BUILD}/page.${part} bytes)
  math(EXPR weight "${weight} + ${bytes}")
endforeach()
if(weight GREATER 80000)
  message(NOTICE "the page weighs ${weight} bytes; at most 80000 are allowed")
  math(EXPR faults "${faults} + 1")
endif()
if(faults)
  message(FATAL_ERROR "${faults} faults")
endif()
message(STATUS "the page weighs ${weight} bytes")
