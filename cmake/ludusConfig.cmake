# find_package(ludus): ludus::ludus is the shared library, ludus::static the static one.
include(CMakeFindDependencyMacro)
find_dependency(Threads)
include(${CMAKE_CURRENT_LIST_DIR}/ludusTargets.cmake)
