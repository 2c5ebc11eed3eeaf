# What the program says of its own build, and where an installed program finds the profiles and workloads.

find_package(Git QUIET)
set(build_info ${PROJECT_BINARY_DIR}/generated/build_info.cpp)
add_custom_target(joulecast_build_info
  COMMAND ${CMAKE_COMMAND}
    -DSOURCE=${PROJECT_SOURCE_DIR} -DTEMPLATE=${PROJECT_SOURCE_DIR}/cmake/build_info.cpp.in -DOUTPUT=${build_info} -DGIT=${GIT_EXECUTABLE}
    -DVERSION=${PROJECT_VERSION} "-DCOMPILER=${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}" -DBUILD_TYPE=${CMAKE_BUILD_TYPE}
    "-DSANITIZE=${JOULECAST_SANITIZE}" -P ${PROJECT_SOURCE_DIR}/cmake/write_build_info.cmake
  BYPRODUCTS ${build_info}
  COMMENT "")
if(TARGET joulecast)
  target_sources(joulecast PRIVATE ${build_info})
  add_dependencies(joulecast joulecast_build_info)
  install(TARGETS joulecast RUNTIME DESTINATION bin)
endif()
install(DIRECTORY hardware_profiles workloads scenarios DESTINATION share/joulecast)
install(FILES LICENSE DESTINATION share/doc/joulecast)
