# CHOLMOD of SuiteSparse, for which Debian 12 has neither a CMake package nor a pkg-config file: Cholmod::cholmod.
#
# The system's BLAS (OpenBLAS) is linked beside it, by name and early: Ceres brings ATLAS along, and the first of the two is
# the one that CHOLMOD gets.
find_library(CHOLMOD_LIBRARY cholmod)
find_library(CHOLMOD_BLAS_LIBRARY NAMES libblas.so.3 blas)
find_path(CHOLMOD_INCLUDE_DIR cholmod.h PATH_SUFFIXES suitesparse)
mark_as_advanced(CHOLMOD_LIBRARY CHOLMOD_BLAS_LIBRARY CHOLMOD_INCLUDE_DIR)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Cholmod REQUIRED_VARS CHOLMOD_LIBRARY CHOLMOD_BLAS_LIBRARY CHOLMOD_INCLUDE_DIR)
if(Cholmod_FOUND AND NOT TARGET Cholmod::cholmod)
  add_library(Cholmod::cholmod UNKNOWN IMPORTED)
  set_target_properties(Cholmod::cholmod PROPERTIES IMPORTED_LOCATION "${CHOLMOD_LIBRARY}"
                                                    INTERFACE_INCLUDE_DIRECTORIES "${CHOLMOD_INCLUDE_DIR}"
                                                    INTERFACE_LINK_LIBRARIES
                                                    "-Wl,--push-state,--no-as-needed;${CHOLMOD_BLAS_LIBRARY};-Wl,--pop-state")
endif()
