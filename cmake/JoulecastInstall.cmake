# What the program says of its own build, what is installed where, and what other CMake projects find.

include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

find_package(Git QUIET)
set(build_info ${PROJECT_BINARY_DIR}/generated/build_info.cpp)
add_custom_target(joulecast_build_info
  COMMAND ${CMAKE_COMMAND}
    -DSOURCE=${PROJECT_SOURCE_DIR} -DTEMPLATE=${PROJECT_SOURCE_DIR}/cmake/build_info.cpp.in -DOUTPUT=${build_info} -DGIT=${GIT_EXECUTABLE}
    -DVERSION=${PROJECT_VERSION} "-DCOMPILER=${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}" -DBUILD_TYPE=${CMAKE_BUILD_TYPE}
    "-DSANITIZE=${JOULECAST_SANITIZE}" -P ${PROJECT_SOURCE_DIR}/cmake/write_build_info.cmake
  BYPRODUCTS ${build_info}
  COMMENT "")
add_library(joulecast_build STATIC ${build_info})
add_dependencies(joulecast_build joulecast_build_info)
target_include_directories(joulecast_build PRIVATE ${PROJECT_BINARY_DIR}/arrows/cli)
target_link_libraries(joulecast_build PRIVATE $<BUILD_INTERFACE:joulecast_options>)
target_link_libraries(joulecast_cli PRIVATE joulecast_build)

# The program's `main` as a library: another program that links it is joulecast with the policies that its own_policies() adds.
add_library(joulecast_main STATIC ${PROJECT_SOURCE_DIR}/sim/cli/main.cpp)
target_link_libraries(joulecast_main PRIVATE joulecast_cli fmt::fmt)

# The manual and the shells' completions, by the program itself. gzip without times: the same bytes each time.
find_program(JOULECAST_GZIP gzip REQUIRED)
set(pack_man | ${JOULECAST_GZIP} -9n)
set(pack_scenario ${pack_man})
set(documents ${PROJECT_BINARY_DIR}/documents)
set(document_files)
foreach(document man=joulecast.1.gz scenario=joulecast-scenario.5.gz bash=joulecast zsh=_joulecast fish=joulecast.fish)
  string(REPLACE "=" ";" pair ${document})
  list(GET pair 0 what)
  list(GET pair 1 file)
  add_custom_command(OUTPUT ${documents}/${what}/${file}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${documents}/${what}
    COMMAND joulecast docs ${what} ${pack_${what}} > ${documents}/${what}/${file}
    DEPENDS joulecast
    COMMENT "joulecast docs ${what}")
  list(APPEND document_files ${documents}/${what}/${file})
endforeach()
add_custom_target(joulecast_documents ALL DEPENDS ${document_files})

if(TARGET test_cli)
  add_dependencies(test_cli joulecast_main joulecast_documents)
endif()

# `program`: what a person runs.
install(TARGETS joulecast RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
install(DIRECTORY hardware_profiles workloads scenarios DESTINATION ${CMAKE_INSTALL_DATADIR}/joulecast COMPONENT program)
install(FILES LICENSE NOTICE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
install(FILES ${documents}/man/joulecast.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program)
install(FILES ${documents}/scenario/joulecast-scenario.5.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man5 COMPONENT program)
install(FILES ${documents}/bash/joulecast DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT program)
install(FILES ${documents}/zsh/_joulecast DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions COMPONENT program)
install(FILES ${documents}/fish/joulecast.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT program)

# `development`: libraries, headers and what find_package(joulecast) reads.
set(joulecast_include ${CMAKE_INSTALL_INCLUDEDIR}/joulecast)
set(libraries joulecast_main joulecast_build)
foreach(folder ${JOULECAST_FOLDERS})
  list(APPEND libraries joulecast_${folder})
  if(NOT folder STREQUAL cli)
    install(DIRECTORY sim/${folder} DESTINATION ${joulecast_include} COMPONENT development FILES_MATCHING PATTERN "*.hpp")
  endif()
endforeach()
foreach(library ${libraries})
  string(REPLACE "joulecast_" "" name ${library})
  set_target_properties(${library} PROPERTIES EXPORT_NAME ${name})
endforeach()
install(TARGETS ${libraries} EXPORT joulecast ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}/joulecast COMPONENT development
  INCLUDES DESTINATION ${joulecast_include})
set(joulecast_cmake ${CMAKE_INSTALL_LIBDIR}/cmake/joulecast)
install(EXPORT joulecast NAMESPACE joulecast:: FILE joulecastTargets.cmake DESTINATION ${joulecast_cmake} COMPONENT development)
configure_package_config_file(cmake/joulecastConfig.cmake.in ${PROJECT_BINARY_DIR}/generated/joulecastConfig.cmake
  INSTALL_DESTINATION ${joulecast_cmake} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/generated/joulecastConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/generated/joulecastConfig.cmake ${PROJECT_BINARY_DIR}/generated/joulecastConfigVersion.cmake
  cmake/JoulecastDependencies.cmake DESTINATION ${joulecast_cmake} COMPONENT development)
install(DIRECTORY docs/examples/own-policy DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples COMPONENT development)

include(JoulecastPackage)
