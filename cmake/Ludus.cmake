# What all folders share: flags, and one function per kind of folder.
#   ludus_module(NAME SEES ...)   a library of src/, with its *_test.c as one test program
#   ludus_games(FOLDER)           every game below FOLDER, found by name, and the registry of them
#   ludus_library()               libludus, shared and static: all modules but the server, and all games

if(NOT LUDUS_WASM)
  find_package(Threads REQUIRED)
endif()
enable_testing()

set(LUDUS_IS_X86 FALSE)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$" AND NOT LUDUS_WASM)
  set(LUDUS_IS_X86 TRUE)
endif()

# flags of every target; games and all numeric code rely on -ffp-contract=off for equal bits
# gcc 12 drops the rounding of (double)(float)x when it packs straight-line code into vectors (-O2 and
# above, v3 and v4), which changes results: that packing is off; loops are vectorised all the same
file(RELATIVE_PATH ludus_source ${CMAKE_BINARY_DIR} ${CMAKE_SOURCE_DIR})
add_library(ludus_flags INTERFACE)
target_compile_options(ludus_flags INTERFACE
  -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes
  -ffp-contract=off -fno-math-errno -fno-trapping-math -fno-strict-aliasing
  -fmacro-prefix-map=${CMAKE_SOURCE_DIR}/= # places in messages are those of the project,
  -fmacro-prefix-map=${ludus_source}= # also where a compiler cache (its base_dir) makes paths relative
  $<$<C_COMPILER_ID:GNU>:-fno-tree-slp-vectorize>
  $<$<BOOL:${LUDUS_WERROR}>:-Werror>)
target_compile_definitions(ludus_flags INTERFACE _GNU_SOURCE)

# What makes a fault harder to use, in release builds; tools/check-hardening looks for it in what was
# built. Kernels and rules (targets with LUDUS_HOT) have neither guards on the stack nor probes of
# it: they are measured in nanoseconds, and take no bytes from outside.
if(NOT LUDUS_WASM)
  set(hard $<CONFIG:Release>)
  set(cool $<AND:$<CONFIG:Release>,$<NOT:$<BOOL:$<TARGET_PROPERTY:LUDUS_HOT>>>>)
  target_compile_options(ludus_flags INTERFACE
    $<${hard}:-U_FORTIFY_SOURCE> $<${hard}:-D_FORTIFY_SOURCE=2>
    $<${cool}:-fstack-protector-strong> $<${cool}:-fstack-clash-protection>)
  if(LUDUS_IS_X86)
    target_compile_options(ludus_flags INTERFACE $<${hard}:-fcf-protection=full>)
  endif()
  target_link_options(ludus_flags INTERFACE $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-pie>)
  add_link_options(LINKER:-z,relro LINKER:-z,now LINKER:-z,noexecstack) # programs and libraries
endif()
if(LUDUS_SANITIZE)
  target_compile_options(ludus_flags INTERFACE -fsanitize=${LUDUS_SANITIZE}
    -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(ludus_flags INTERFACE -fsanitize=${LUDUS_SANITIZE})
endif()
if(LUDUS_COVER)
  target_compile_options(ludus_flags INTERFACE --coverage -fprofile-update=atomic)
  add_library(ludus_cover STATIC ${CMAKE_SOURCE_DIR}/tests/cover.c)
  target_link_libraries(ludus_flags INTERFACE $<TARGET_FILE:ludus_cover>)
  add_link_options(--coverage)
  target_link_options(ludus_flags INTERFACE -Wl,--wrap=_exit,--wrap=_Exit,--wrap=syscall)
endif()

# harness of the test programs
if(NOT LUDUS_WASM)
  add_library(ludus_test STATIC ${CMAKE_SOURCE_DIR}/tests/test_main.c)
  target_include_directories(ludus_test PUBLIC ${CMAKE_SOURCE_DIR}/tests)
  target_compile_definitions(ludus_test PRIVATE LU_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  target_link_libraries(ludus_test PUBLIC ludus_flags m)
endif()

# NAME_test is a test program: part of the target `tests`, and a test of ctest.
add_custom_target(tests)
# Its own files are compiled for a short build: what they test is compiled elsewhere, for speed.
function(ludus_add_test name)
  target_compile_options(${name}_test PRIVATE $<$<CONFIG:Release>:-Og>)
  add_dependencies(tests ${name}_test)
  add_test(NAME ${name} COMMAND ${name}_test)
endfunction()

# A library from the .c files of the current folder, and NAME_test from its *_test.c files.
# SEES: targets that it links (tools/check-arrows has what it may include). NATIVE: files left out of the WASM build.
function(ludus_module name)
  cmake_parse_arguments(ARG "" "" "SEES;PRIVATE;NATIVE;TEST_SEES" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS *.c)
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "_test\\.c$")
  list(FILTER tests INCLUDE REGEX "_test\\.c$")
  if(LUDUS_WASM)
    foreach(file ${ARG_NATIVE})
      list(REMOVE_ITEM sources ${CMAKE_CURRENT_SOURCE_DIR}/${file})
    endforeach()
  endif()
  add_library(ludus_${name} STATIC ${sources})
  target_include_directories(ludus_${name} PUBLIC ${CMAKE_SOURCE_DIR}/include)
  target_link_libraries(ludus_${name} PUBLIC ludus_flags ${ARG_SEES})
  if(NOT LUDUS_WASM)
    target_link_libraries(ludus_${name} PRIVATE ${ARG_PRIVATE})
    # nobody replaces a function of ours from outside, so that calls within a file stay inlined
    target_compile_options(ludus_${name} PRIVATE -fno-semantic-interposition)
    if(tests)
      add_executable(${name}_test ${tests})
      target_include_directories(${name}_test PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
      target_link_libraries(${name}_test PRIVATE ludus_${name} ludus_test ${ARG_TEST_SEES})
      ludus_add_test(${name})
    endif()
  endif()
endfunction()

# Build levels of kernels and rules: name and flags. Off x86-64 there is only the first.
set(LUDUS_LEVELS_LIST base)
if(LUDUS_IS_X86)
  set(LUDUS_LEVELS_LIST base v3 v4)
  set(LUDUS_LEVEL_base -march=x86-64)
  set(LUDUS_LEVEL_v3 -march=x86-64-v3)
  set(LUDUS_LEVEL_v4 -march=x86-64-v4 -mprefer-vector-width=512)
endif()
set(LUDUS_KERNEL_LEVELS ${LUDUS_LEVELS_LIST})
if(LUDUS_IS_X86)
  # vdpbf16ps: not every AVX-512 processor has it; tiles: fewer still
  list(APPEND LUDUS_KERNEL_LEVELS v4_bf16 amx)
endif()
set(LUDUS_RULES_LEVELS ${LUDUS_LEVELS_LIST})
if(LUDUS_ONE_LEVEL)
  set(LUDUS_RULES_LEVELS base)
endif()

# Flags of one game's rules, LUDUS_RULES_NAME. A step of prospector is one long function: gcc would
# compute the constants of its vector code ahead of every branch and keep them on the stack.
set(LUDUS_RULES_prospector $<$<C_COMPILER_ID:GNU>:-fno-tree-pre> $<$<C_COMPILER_ID:GNU>:-fno-gcse>)
if(LUDUS_IS_X86)
  # a reset clears kilobytes: `rep stos`, which gcc writes in place, is slower than a call of memset
  list(APPEND LUDUS_RULES_prospector $<$<C_COMPILER_ID:GNU>:-mmemset-strategy=libcall:-1:noalign>)
endif()

# One game folder: NAME.c (the rules) once per level and the other files, those of its rooms too, once,
# as object libraries game_NAME_LEVEL and game_NAME. Includes begin at the folder ("rules/NAME_x.h"). Tools and tests are the business of ludus_games_library.
function(ludus_game folder)
  get_filename_component(name ${folder} NAME)
  foreach(level ${LUDUS_RULES_LEVELS})
    add_library(game_${name}_${level} OBJECT ${folder}/${name}.c)
    set_target_properties(game_${name}_${level} PROPERTIES LUDUS_HOT ON)
    target_compile_definitions(game_${name}_${level} PRIVATE LU_ISA=_${level})
    target_compile_options(game_${name}_${level} PRIVATE $<$<CONFIG:Release>:-O3> ${LUDUS_LEVEL_${level}}
      ${LUDUS_RULES_${name}})
    target_link_libraries(game_${name}_${level} PRIVATE ludus_flags)
    target_include_directories(game_${name}_${level} PRIVATE ${CMAKE_SOURCE_DIR}/include ${folder})
  endforeach()
  file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.c ${folder}/*/*.c)
  list(FILTER sources EXCLUDE REGEX "/tools/[^/]*$")
  list(FILTER sources EXCLUDE REGEX "_test\\.c$")
  list(REMOVE_ITEM sources ${folder}/${name}.c)
  add_library(game_${name} OBJECT ${sources})
  target_include_directories(game_${name} PRIVATE ${CMAKE_SOURCE_DIR}/include ${folder})
  target_link_libraries(game_${name} PRIVATE ludus_flags)
  if(LUDUS_IS_X86 AND NOT LUDUS_ONE_LEVEL)
    target_compile_definitions(game_${name} PRIVATE LUDUS_LEVELS)
  endif()
endfunction()

# The tools of one game folder: adds to the caller's tools_declare, tools_list (for registry.c.in)
# and tool_sources. TOOL.c is a tool when it defines lu_tool_NAME_TOOL; other files are parts.
macro(ludus_find_tools path)
  get_filename_component(game_name ${path} NAME)
  file(GLOB tools CONFIGURE_DEPENDS ${path}/tools/*.c)
  list(FILTER tools EXCLUDE REGEX "_test\\.c$")
  foreach(tool ${tools})
    get_filename_component(tool_name ${tool} NAME_WE)
    file(STRINGS ${tool} defined REGEX "^const lu_tool lu_tool_${game_name}_${tool_name} =")
    if(defined)
      string(APPEND tools_declare "extern const lu_tool lu_tool_${game_name}_${tool_name};\n")
      string(APPEND tools_list "    &lu_tool_${game_name}_${tool_name},\n")
    endif()
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${tool})
    set_source_files_properties(${tool} PROPERTIES INCLUDE_DIRECTORIES ${path})
    list(APPEND tool_sources ${tool})
  endforeach()
endmacro()

# All games of a folder: the library `target` and its registry, written from the folder names.
function(ludus_games_library target folder)
  file(GLOB entries CONFIGURE_DEPENDS ${folder}/*/*_spec.c)
  set(names)
  foreach(entry ${entries})
    get_filename_component(path ${entry} DIRECTORY)
    get_filename_component(name ${path} NAME)
    ludus_game(${path})
    list(APPEND names ${name})
  endforeach()
  set(registry ${CMAKE_BINARY_DIR}/${target}_registry.c)
  set(declare "")
  set(list "")
  set(tools_declare "")
  set(tools_list "")
  set(objects)
  set(tool_sources)
  foreach(name ${names})
    string(APPEND declare "extern const lu_game *const lu_games_${name}[];\n")
    string(APPEND list "    lu_games_${name},\n")
    list(APPEND objects $<TARGET_OBJECTS:game_${name}>)
    foreach(level ${LUDUS_RULES_LEVELS})
      list(APPEND objects $<TARGET_OBJECTS:game_${name}_${level}>)
    endforeach()
    ludus_find_tools(${folder}/${name})
  endforeach()
  configure_file(${CMAKE_SOURCE_DIR}/cmake/registry.c.in ${registry} @ONLY)
  # objects, not an archive: the registry is then always linked, and env may ask it for games
  add_library(${target}_objects OBJECT ${registry} ${tool_sources})
  target_include_directories(${target}_objects PRIVATE ${CMAKE_SOURCE_DIR}/include ${folder})
  target_link_libraries(${target}_objects PRIVATE ludus_flags)
  # tools may take in all rules as headers: -O3 would double their time to build
  target_compile_options(${target}_objects PRIVATE $<$<CONFIG:Release>:-O2>)
  add_library(${target} INTERFACE)
  target_sources(${target} INTERFACE $<TARGET_OBJECTS:${target}_objects> ${objects})
  target_link_libraries(${target} INTERFACE ludus_env)
  if(NOT LUDUS_WASM)
    foreach(name ${names})
      file(GLOB tests CONFIGURE_DEPENDS ${folder}/${name}/*_test.c ${folder}/${name}/*/*_test.c)
      if(tests)
        add_executable(game_${name}_test ${tests})
        target_include_directories(game_${name}_test PRIVATE ${folder}/${name})
        target_link_libraries(game_${name}_test PRIVATE ${target} ludus_test)
        ludus_add_test(game_${name})
      endif()
    endforeach()
  endif()
endfunction()

function(ludus_games folder)
  ludus_games_library(ludus_games ${folder})
endfunction()

# libludus for other programs: the objects of all modules but the server, and of all games. It exports
# what public headers declare (LU_API_BEGIN). Our own programs and tests link the modules instead.
function(ludus_library)
  set(objects $<TARGET_PROPERTY:ludus_games,INTERFACE_SOURCES>)
  foreach(level ${LUDUS_KERNEL_LEVELS})
    list(APPEND objects $<TARGET_OBJECTS:nn_${level}>)
  endforeach()
  foreach(module base env nn train eval lab)
    # alloc_count.c is for programs that count allocations
    list(APPEND objects $<FILTER:$<TARGET_OBJECTS:ludus_${module}>,EXCLUDE,alloc_count>)
  endforeach()
  foreach(kind SHARED STATIC)
    string(TOLOWER libludus_${kind} target)
    add_library(${target} ${kind} ${objects})
    target_include_directories(${target} INTERFACE $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include>
      $<INSTALL_INTERFACE:include>)
    target_link_libraries(${target} PRIVATE inih yaml z zstd sqlite3 m Threads::Threads)
    set_target_properties(${target} PROPERTIES OUTPUT_NAME ludus LINKER_LANGUAGE C)
  endforeach()
  # while the major version is 0, a new minor one may change anything: docs/library.md
  set_target_properties(libludus_shared PROPERTIES VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} LINK_DEPENDS ${CMAKE_SOURCE_DIR}/cmake/libludus.map)
  target_link_options(libludus_shared PRIVATE LINKER:--version-script=${CMAKE_SOURCE_DIR}/cmake/libludus.map)
endfunction()
