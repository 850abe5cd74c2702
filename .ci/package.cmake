# SPDX-License-Identifier: MIT
# What a Debian package has differently from `cmake --install`; CPack runs this on the installed tree.
# The command's package and that for Python each have a folder there.
set(root ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/Unspecified/usr)
set(share ${root}/share)
set(source ${CMAKE_CURRENT_LIST_DIR}/..)

# The manual page compressed, without a time in it.
execute_process(COMMAND gzip -9n ${share}/man/man1/thalweg.1 COMMAND_ERROR_IS_FATAL ANY)

# Debian's folder for completions of zsh.
file(MAKE_DIRECTORY ${share}/zsh)
file(RENAME ${share}/zsh/site-functions ${share}/zsh/vendor-completions)

# One file for licence and notices, as Debian reads it.
file(READ ${source}/LICENSE licence)
string(REGEX REPLACE "^MIT License\n+Copyright \\(c\\) ([^\n]*)\n+" "" text "${licence}")
set(holder "${CMAKE_MATCH_1}")
string(REGEX REPLACE "\n\n" "\n.\n" text "${text}")
string(REGEX REPLACE "\n([^\n])" "\n \\1" text "${text}")
file(READ ${source}/docs/third-party.md notices)
string(REGEX REPLACE "^# [^\n]*\n+" "" notices "${notices}")
string(REGEX REPLACE "\n\n" "\n.\n" notices "${notices}")
string(REGEX REPLACE "\n([^\n])" "\n \\1" notices "${notices}")
file(WRITE ${share}/doc/thalweg/copyright "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Thalweg
Comment:
 ${notices}
Files: *
Copyright: ${holder}
License: Expat
 ${text}")
file(REMOVE ${share}/doc/thalweg/LICENSE)

# The history is that of the work tree; the time is that of its last commit, so that the same tree gives
# the same package.
execute_process(COMMAND git -C ${source} log -1 --format=%aD OUTPUT_VARIABLE date
  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT date) # else SOURCE_DATE_EPOCH, or now
  string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
endif()
file(WRITE ${share}/doc/thalweg/changelog "thalweg (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium

  * Built from a work tree, whose history says what changed.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
execute_process(COMMAND gzip -9n ${share}/doc/thalweg/changelog COMMAND_ERROR_IS_FATAL ANY)

# One package of command, library and headers.
file(WRITE ${share}/lintian/overrides/thalweg "# The library is there for programs in C; the package is named after the command.
thalweg: package-name-doesnt-match-sonames *
thalweg: link-to-shared-library-in-wrong-package *
# CPack adds these whatever the triggers say; they do no harm.
thalweg: maintscript-calls-ldconfig *
")

set(python ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/python/usr)
file(COPY ${share}/doc/thalweg/copyright ${share}/doc/thalweg/changelog.gz DESTINATION ${python}/share/doc/python3-thalweg)

# Owner and mode do not depend on the builder's.
file(GLOB_RECURSE files ${share}/* ${root}/include/* ${python}/*)
file(CHMOD ${files} PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
file(CHMOD_RECURSE ${root} ${python} DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
