# `cpack -G DEB` in the build folder: joulecast (the program, its manual, completions, profiles, workloads and scenarios) and joulecast-dev.

set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_NAME joulecast)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "The joulecast authors <joulecast@localhost>")
set(CPACK_PACKAGE_VENDOR joulecast)
set(CPACK_COMPONENTS_ALL program development)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME joulecast)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_DEPENDS tzdata)
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "simulator of the energy of large language models in datacenters
 A discrete-event simulator: for traffic and training jobs on a fleet of GPUs
 under policies it says how many joules, how fast, at what cost and carbon, and
 how sure that is. Profiles of GPUs, nodes and models are part of it.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME joulecast-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
  "joulecast (= ${PROJECT_VERSION}), libfmt-dev, libtomlplusplus-dev, libssl-dev, zlib1g-dev, libhdf5-dev, libhowardhinnant-date-dev, coinor-libclp-dev, pkg-config")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "libraries and headers of the joulecast simulator
 What a program of your own needs to run scenarios, or to be joulecast with a
 policy of your own: find_package(joulecast) in CMake.")

# Debian wants the licences as `copyright`.
set(copyright ${PROJECT_BINARY_DIR}/generated/copyright)
file(READ NOTICE notice)
file(WRITE ${copyright} "joulecast\nCopyright the joulecast authors.\nLicence: see ${CMAKE_INSTALL_FULL_DOCDIR}/LICENSE\n\n${notice}")
foreach(component program development)
  string(TOUPPER ${component} upper)
  install(FILES ${copyright} DESTINATION share/doc/${CPACK_DEBIAN_${upper}_PACKAGE_NAME} COMPONENT ${component})
endforeach()
include(CPack)
