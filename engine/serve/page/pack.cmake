# SPDX-License-Identifier: MIT
# What browsers get of the page: the scripts, rules and elements of the files beside this one, without what only
# readers need: comments, indentation, and spaces around punctuation. Strings and templates stay as they are, but
# templates of several lines, which are shaders, are packed as well. The sources keep to what this understands, or it
# stops:
#   strings are in double quotes; a template has no template inside;
#   a regular expression has neither quotes nor spaces (\s, \x22);
#   a sign does not follow another (-(-x)); every statement ends with a semicolon.
# tests/serve/pack.cmake tests it, and tests/serve/*.mjs run the packed page.

set(tw_page_literal "\"([^\"\\\n]|\\\\.)*\"|`[^`]*`")
set(tw_page_comment "/[*]([^*]|[*]+[^*/])*[*]+/")
set(tw_page_spaced "[ \n]*([]{}()[=<>?:,;!&|*+/%-]+)[ \n]*")

function(tw_page_refuse text pattern why)
  if(text MATCHES "${pattern}")
    message(FATAL_ERROR "the page of serve: ${why}: ${CMAKE_MATCH_0}")
  endif()
endfunction()

# Calls `pack` for all that is neither a literal nor a comment, keeps literals of one line and drops comments.
function(tw_page_walk name pack)
  set(packed "")
  set(rest "${${name}}")
  while(rest MATCHES "${tw_page_literal}|${tw_page_comment}")
    set(found "${CMAKE_MATCH_0}")
    string(FIND "${rest}" "${found}" at)
    string(SUBSTRING "${rest}" 0 ${at} code)
    string(LENGTH "${found}" length)
    math(EXPR at "${at} + ${length}")
    string(SUBSTRING "${rest}" ${at} -1 rest)
    if(found MATCHES "^/")
      set(found "")
    elseif(found MATCHES "\n")
      string(REGEX REPLACE "${tw_page_spaced}" "\\1" found "${found}")
    endif()
    cmake_language(CALL ${pack} code)
    string(APPEND packed "${code}${found}")
  endwhile()
  cmake_language(CALL ${pack} rest)
  set(${name} "${packed}${rest}" PARENT_SCOPE)
endfunction()

# Their callers see the packed text in the variable `name`.
macro(tw_page_keep name)
endmacro()
macro(tw_page_refuse_quotes name)
  tw_page_refuse("${${name}}" "[^\n]*'[^\n]*" "a string in single quotes")
endmacro()
macro(tw_page_pack_script name)
  string(REGEX REPLACE "${tw_page_spaced}" "\\1" ${name} "${${name}}")
  string(REGEX REPLACE "[,;]+([]})])" "\\1" ${name} "${${name}}")
  string(REGEX REPLACE "(^|[^0-9A-Za-z_$.])const([[{ ])" "\\1let\\2" ${name} "${${name}}") # as short as it can be
  string(REGEX REPLACE "([^0-9A-Za-z_$])[(]([a-z_]+)[)]=>" "\\1\\2=>" ${name} "${${name}}")
  string(REGEX REPLACE "([^0-9A-Za-z_$.])0[.]([0-9])" "\\1.\\2" ${name} "${${name}}")
endmacro()
macro(tw_page_pack_rules name)
  string(REGEX REPLACE "[ \n]*([{};,]+)[ \n]*" "\\1" ${name} "${${name}}")
  string(REGEX REPLACE ": +" ":" ${name} "${${name}}")
  string(REPLACE ";}" "}" ${name} "${${name}}")
endmacro()

function(tw_page_pack_js name)
  set(text "${${name}}")
  tw_page_walk(text tw_page_keep)
  string(REGEX REPLACE "[ ]*\n[ \n]*" "\n" text "${text}")
  tw_page_refuse("${text}" "`[^`]*[$]{[^}`]*`[^;\n]*" "a template inside a template")
  tw_page_refuse("${text}" "[(,=:][ \n]*/([^/*\n][^/\n]*)?[ \"'`][^\n]*" "a regular expression with spaces or quotes")
  tw_page_walk(text tw_page_refuse_quotes)
  tw_page_refuse("${text}" "[^\n]*[-+][ \n]+[-+][^\n]*" "a sign after another")
  tw_page_walk(text tw_page_pack_script)
  set(${name} "${text}" PARENT_SCOPE)
endfunction()

# The colours' names, which no script knows, become letters in the order of their first definition.
function(tw_page_shorten name)
  set(text "${${name}}")
  string(REGEX MATCHALL "--[a-z-]+:" names "${text}")
  list(REMOVE_DUPLICATES names)
  set(letters a b c d e f g h i j k l m n o p q r s t u v w x y z)
  foreach(long letter IN ZIP_LISTS names letters)
    if(long)
      string(REPLACE ":" "" long "${long}")
      string(REGEX REPLACE "${long}([:,)])" "--${letter}\\1" text "${text}")
    endif()
  endforeach()
  set(${name} "${text}" PARENT_SCOPE)
endfunction()

function(tw_page_pack_css name)
  set(text "${${name}}")
  tw_page_walk(text tw_page_keep)
  tw_page_shorten(text)
  string(REGEX REPLACE "[ ]*\n[ \n]*" "\n" text "${text}")
  tw_page_walk(text tw_page_pack_rules)
  set(${name} "${text}" PARENT_SCOPE)
endfunction()

function(tw_page_pack_html name)
  string(REGEX REPLACE "\n[ \n]+" "\n" text "${${name}}")
  string(REGEX REPLACE " (id|class|role|for|type|value|min|max|step|tabindex)=\"([a-z0-9_.-]+)\"" " \\1=\\2" text "${text}")
  set(${name} "${text}" PARENT_SCOPE)
endfunction()
