# cmake -D build=… -D example=… -D scratch=… -D generator=… -D compiler=… -D build_type=… -P install_and_use.cmake
file(REMOVE_RECURSE "${scratch}")

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ECHO STDOUT RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "failed with ${result}")
  endif()
endfunction()

run(${CMAKE_COMMAND} --install "${build}" --prefix "${scratch}/prefix")
run(${CMAKE_COMMAND} -S "${example}" -B "${scratch}/build" -G "${generator}" -D "CMAKE_CXX_COMPILER=${compiler}"
    -D "CMAKE_BUILD_TYPE=${build_type}" -D "CMAKE_PREFIX_PATH=${scratch}/prefix")
run(${CMAKE_COMMAND} --build "${scratch}/build")
run("${scratch}/build/library_use")
run("${scratch}/prefix/bin/masing" --version)
foreach(file share/masing/models/01_duffing.toml include/masing/masing.hpp)
  if(NOT EXISTS "${scratch}/prefix/${file}")
    message(FATAL_ERROR "${file} was not installed")
  endif()
endforeach()
