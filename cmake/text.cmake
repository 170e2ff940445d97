# Turns a text file into a C array, for a library to hold it: cmake -DTEXT=FILE -DOUT=FILE.c -DNAME=array -P text.cmake
file(READ ${TEXT} bytes HEX)
string(REGEX REPLACE "(................................)" "\\1\n    " bytes "${bytes}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
get_filename_component(source ${TEXT} NAME)
file(WRITE ${OUT} "/* ${source}, by cmake/text.cmake. */\nextern const char ${NAME}[];\n"
  "const char ${NAME}[] = {\n    ${bytes}0};\n")
