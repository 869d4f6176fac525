# Headers that nearly every source reads are compiled once: the clean build takes half the time. The sources do not rely
# on it: each includes what it uses, and the asan preset builds without.
#
#   masing_precompile_headers(masing_core <Eigen/Core> …)   compiles them with the target's own flags
#   masing_reuse_headers(masing_contact masing_core)        takes those of another target with the same flags
if(MASING_PRECOMPILED)
  # ccache understands precompiled headers when the compiler marks them.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(masing_warnings INTERFACE -fpch-preprocess)
  endif()
endif()

function(masing_precompile_headers target)
  if(MASING_PRECOMPILED)
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
endfunction()

function(masing_reuse_headers target owner)
  if(MASING_PRECOMPILED)
    target_precompile_headers(${target} REUSE_FROM ${owner})
  endif()
endfunction()
