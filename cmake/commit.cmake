# Writes OUT, a C file with the commit of SOURCE, only where it differs: a program names the commit
# that it was built from, wherever it runs. Outside of a repository that is "unknown".
set(short unknown)
set(exact unknown)
if(EXISTS "${SOURCE}/.git")
  execute_process(COMMAND git -C "${SOURCE}" rev-parse --short HEAD OUTPUT_VARIABLE said
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE code)
  if(code EQUAL 0)
    set(short "${said}")
  endif()
  execute_process(COMMAND git -C "${SOURCE}" describe --always --dirty OUTPUT_VARIABLE said
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE code)
  if(code EQUAL 0)
    set(exact "${said}")
  endif()
endif()
string(CONCAT text "/* Made by cmake/commit.cmake. */\n"
  "extern const char lu_commit_short[], lu_commit_exact[];\n"
  "const char lu_commit_short[] = \"${short}\";\n"
  "const char lu_commit_exact[] = \"${exact}\";\n")
if(EXISTS "${OUT}")
  file(READ "${OUT}" before)
endif()
if(NOT "${before}" STREQUAL "${text}")
  file(WRITE "${OUT}" "${text}")
endif()
