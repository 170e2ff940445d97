# `cmake --install` and `cpack -G DEB`: programs with manuals and completions, what they read
# (share/ludus), the library with headers, pkg-config and CMake package files. Everything is found
# relative to where it lies: a prefix may be given at installation, and moved later.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(cmake_files ${CMAKE_INSTALL_LIBDIR}/cmake/ludus)

# ---- programs: component ludus, grpc for ludus-grpc, mpi for the module of MPI ----

# Installs a program with its manual and completions, which it writes itself.
function(ludus_install_program name component)
  install(TARGETS ${name} RUNTIME COMPONENT ${component})
  set(made ${CMAKE_BINARY_DIR}/install/${name})
  file(MAKE_DIRECTORY ${made})
  add_custom_command(OUTPUT ${made}/man.1.gz ${made}/bash ${made}/zsh ${made}/fish VERBATIM
    COMMAND sh -ec "$0 manual > man.1; gzip -9nf man.1; for shell in bash zsh fish; do $0 completion $shell > $shell; done" $<TARGET_FILE:${name}>
    WORKING_DIRECTORY ${made} DEPENDS ${name})
  add_custom_target(${name}-pages ALL DEPENDS ${made}/man.1.gz)
  install(FILES ${made}/man.1.gz RENAME ${name}.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT ${component})
  install(FILES ${made}/bash RENAME ${name} DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT ${component})
  install(FILES ${made}/zsh RENAME _${name} DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions COMPONENT ${component})
  install(FILES ${made}/fish RENAME ${name}.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT ${component})
endfunction()
ludus_install_program(ludus ludus)
ludus_install_program(ludus-fetch ludus)
if(TARGET ludus-grpc)
  ludus_install_program(ludus-grpc grpc)
  install(DIRECTORY ${CMAKE_SOURCE_DIR}/proto DESTINATION ${CMAKE_INSTALL_DATADIR}/ludus COMPONENT grpc)
endif()

# opened by `ludus train` under mpirun: beside the program in the tree, in lib/ludus where installed
if(TARGET ludus-mpi)
  install(TARGETS ludus-mpi LIBRARY DESTINATION lib/ludus COMPONENT mpi)
endif()

# ---- what they read ----

set(share ${CMAKE_INSTALL_DATADIR}/ludus)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/config ${CMAKE_SOURCE_DIR}/models DESTINATION ${share} COMPONENT ludus)
file(GLOB folders CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/games/*/presets ${CMAKE_SOURCE_DIR}/games/*/data)
foreach(folder ${folders})
  install(DIRECTORY ${CMAKE_SOURCE_DIR}/${folder}/ DESTINATION ${share}/${folder} COMPONENT ludus
    FILES_MATCHING PATTERN *.json PATTERN *.ini PATTERN *.yml)
endforeach()
# the site and the games for the browser, where they are built (./run, ./check)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/web/dist/ DESTINATION ${share}/site COMPONENT ludus OPTIONAL)
install(CODE "file(GLOB modules ${CMAKE_SOURCE_DIR}/build/wasm/*.wasm)
  file(INSTALL \${modules} DESTINATION \${CMAKE_INSTALL_PREFIX}/${share}/wasm)" COMPONENT ludus)

# ---- the library: components lib and dev ----

set_target_properties(libludus_shared PROPERTIES EXPORT_NAME ludus)
set_target_properties(libludus_static PROPERTIES EXPORT_NAME static)
install(TARGETS libludus_shared libludus_static EXPORT ludusTargets
  LIBRARY COMPONENT lib NAMELINK_COMPONENT dev ARCHIVE COMPONENT dev)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/include/ludus DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev)
install(EXPORT ludusTargets NAMESPACE ludus:: DESTINATION ${cmake_files} COMPONENT dev)
write_basic_package_version_file(ludusConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_SOURCE_DIR}/cmake/ludusConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/ludusConfigVersion.cmake
  DESTINATION ${cmake_files} COMPONENT dev)
file(RELATIVE_PATH up /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" up ${up})
configure_file(${CMAKE_SOURCE_DIR}/cmake/ludus.pc.in ludus.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/ludus.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT dev)

# ---- Debian packages: one per component ----

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_VENDOR "The ludus authors")
# whoever publishes packages answers for them
set(LUDUS_MAINTAINER "Local build of ludus <root@localhost>" CACHE STRING "Maintainer of the Debian packages: NAME <ADDRESS>")
set(CPACK_PACKAGE_CONTACT "${LUDUS_MAINTAINER}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_LIB_PACKAGE_CONTROL_EXTRA ${CMAKE_SOURCE_DIR}/packaging/triggers)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS OFF)
set(soname ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})

# ludus_deb(COMPONENT PACKAGE SECTION "SENTENCE")
macro(ludus_deb component package section sentence)
  string(TOUPPER ${component} upper)
  list(APPEND CPACK_COMPONENTS_ALL ${component})
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${package})
  set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION ${section})
  set(CPACK_COMPONENT_${upper}_DESCRIPTION "${sentence}")
  install(FILES ${CMAKE_SOURCE_DIR}/LICENSE RENAME copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package} COMPONENT ${component})
  install(FILES ${CMAKE_BINARY_DIR}/install/changelog.gz ${CMAKE_BINARY_DIR}/install/changelog.Debian.gz DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package} COMPONENT ${component})
endmacro()
add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/install/changelog.gz VERBATIM
  COMMAND sh -ec "gzip -9nc \"$0\" > changelog.gz; gzip -9nc \"$1\" > changelog.Debian.gz"
    ${CMAKE_SOURCE_DIR}/CHANGELOG.md ${CMAKE_SOURCE_DIR}/packaging/changelog.Debian
  WORKING_DIRECTORY ${CMAKE_BINARY_DIR}/install
  DEPENDS ${CMAKE_SOURCE_DIR}/CHANGELOG.md ${CMAKE_SOURCE_DIR}/packaging/changelog.Debian)
add_custom_target(changelog ALL DEPENDS ${CMAKE_BINARY_DIR}/install/changelog.gz)
ludus_deb(ludus ludus science "agents that play strategy games
Strategy games as fast C environments, a native trainer, leagues of self-play,
an evaluator, a server with a web site, and advisors for players.")
ludus_deb(lib libludus${soname} libs "games, trainers and matches of ludus, as a library
The shared library that programs and bindings of ludus link.")
ludus_deb(dev libludus-dev libdevel "games, trainers and matches of ludus, for programs in C
Headers, static library, pkg-config and CMake files.")
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "libludus${soname} (= ${PROJECT_VERSION}-1), libinih-dev, libyaml-dev, libzstd-dev, zlib1g-dev, libsqlite3-dev")
set(CPACK_DEBIAN_LUDUS_PACKAGE_SUGGESTS "ludus-grpc, ludus-mpi")
if(TARGET ludus-grpc)
  ludus_deb(grpc ludus-grpc science "serves the games of ludus over gRPC
Every game for remote learners, and the service of the joker brief.")
endif()
if(TARGET ludus-mpi)
  ludus_deb(mpi ludus-mpi science "trainings of ludus in several processes, by MPI
The module that `ludus train` opens where mpirun has started it.")
  set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "ludus (= ${PROJECT_VERSION}-1), openmpi-bin")
endif()
include(CPack)
