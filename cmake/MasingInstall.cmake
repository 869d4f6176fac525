# Installation: the program, the models, the headers, the libraries and a package for find_package(masing).
include(CMakePackageConfigHelpers)
set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/masing")

get_property(rooms GLOBAL PROPERTY MASING_ROOM_TARGETS)
install(TARGETS masing masing_compiler ${rooms} EXPORT masing-targets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/lib/masing" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
        FILES_MATCHING PATTERN "*.hpp")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/models" DESTINATION "${CMAKE_INSTALL_DATADIR}/masing")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" "${PROJECT_SOURCE_DIR}/CITATION.cff" DESTINATION "${CMAKE_INSTALL_DOCDIR}")
if(TARGET masing_app)
  install(TARGETS masing_app RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()

install(EXPORT masing-targets NAMESPACE masing:: DESTINATION "${package_dir}")
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/masing-config.cmake.in"
                              "${PROJECT_BINARY_DIR}/masing-config.cmake" INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/masing-config-version.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/masing-config.cmake" "${PROJECT_BINARY_DIR}/masing-config-version.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/FindCholmod.cmake"
        DESTINATION "${package_dir}")
