# Compiler settings shared by every target through the interface library masing_compiler.
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG")
if(MASING_ASSERTIONS)
  set(CMAKE_CXX_FLAGS_RELEASE "-O3")
endif()
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_CXX_EXTENSIONS OFF)

# Repeated builds of the same source cost nothing when ccache is there, also in another clone: paths below the source folder
# are compared relative to it. ccache understands precompiled headers when time stamps are forgiven.
find_program(MASING_CCACHE ccache)
mark_as_advanced(MASING_CCACHE)
if(MASING_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env "CCACHE_BASEDIR=${CMAKE_SOURCE_DIR}"
                                  CCACHE_SLOPPINESS=pch_defines,time_macros "${MASING_CCACHE}")
endif()

# What a user of the library must compile with too.
add_library(masing_compiler INTERFACE)
target_compile_features(masing_compiler INTERFACE cxx_std_20)
if(MASING_NATIVE)
  target_compile_options(masing_compiler INTERFACE -march=native)
endif()
if(MASING_SANITIZE)
  target_compile_options(masing_compiler INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=all
                                                   -fno-omit-frame-pointer)
  target_link_options(masing_compiler INTERFACE -fsanitize=address,undefined)
endif()
if(MASING_COVERAGE)
  target_compile_options(masing_compiler INTERFACE --coverage)
  target_link_options(masing_compiler INTERFACE --coverage)
endif()

# What only our own sources are held to.
add_library(masing_warnings INTERFACE)
target_compile_options(masing_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wno-missing-field-initializers
                                                 -Werror)
# A native build depends on the processor, and must not stop at what GCC 12 suspects when it inlines wide vector instructions
# (AVX-512): undefined values in its own headers, and loads that are never reached.
if(MASING_NATIVE)
  target_compile_options(masing_warnings INTERFACE -Wno-error -Wno-maybe-uninitialized -Wno-uninitialized -Wno-array-bounds
                                                   -Wno-stringop-overflow -Wno-stringop-overread)
endif()
