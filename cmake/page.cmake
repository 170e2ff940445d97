# Turns a page into a C array, for the program to hold it: cmake -DPAGE=FILE -DOUT=FILE.c -DNAME=array -P page.cmake
# The page has one <style> and one <script>; @STYLE_HASH@ and @SCRIPT_HASH@ in its content security
# policy become the SHA-256 of their texts in base64, so that a browser runs these and no others.
file(READ ${PAGE} page)

# Text between <TAG> and </TAG>.
function(text_of tag out)
  string(LENGTH "<${tag}>" width)
  string(FIND "${page}" "<${tag}>" begin)
  string(FIND "${page}" "</${tag}>" end REVERSE)
  if(begin LESS 0 OR end LESS begin)
    message(FATAL_ERROR "${PAGE} has no <${tag}>")
  endif()
  math(EXPR begin "${begin} + ${width}")
  math(EXPR length "${end} - ${begin}")
  string(SUBSTRING "${page}" ${begin} ${length} text)
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

# SHA-256 of a text in base64: 32 bytes are ten groups of three and two bytes more.
function(hash_of text out)
  set(letters ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/)
  string(SHA256 hex "${text}")
  string(APPEND hex 00)
  set(result "")
  foreach(at RANGE 0 60 6)
    string(SUBSTRING ${hex} ${at} 6 group)
    foreach(shift 18 12 6 0)
      math(EXPR index "(0x${group} >> ${shift}) & 63")
      string(SUBSTRING ${letters} ${index} 1 letter)
      string(APPEND result ${letter})
    endforeach()
  endforeach()
  string(SUBSTRING ${result} 0 43 result)
  set(${out} "${result}=" PARENT_SCOPE)
endfunction()

foreach(tag style script)
  text_of(${tag} text)
  hash_of("${text}" hash)
  string(TOUPPER ${tag} mark)
  string(REPLACE "@${mark}_HASH@" "sha256-${hash}" page "${page}")
endforeach()

string(HEX "${page}" bytes)
string(REGEX REPLACE "(................................)" "\\1\n    " bytes "${bytes}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
get_filename_component(source ${PAGE} NAME)
file(WRITE ${OUT} "/* ${source}, by cmake/page.cmake. */\nextern const char ${NAME}[];\n"
  "const char ${NAME}[] = {\n    ${bytes}0};\n")
