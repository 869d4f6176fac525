# What the scripts of this folder share.

# An empty folder to work in.
function(fresh_folder folder)
  file(REMOVE_RECURSE "${folder}")
  file(MAKE_DIRECTORY "${folder}")
endfunction()

# masing(CODE n IN folder ARGS …) runs the program, wants exit code n, and leaves `output` and `errors` to the caller.
function(masing)
  cmake_parse_arguments(arg "" "CODE;IN" "ARGS" ${ARGN})
  execute_process(COMMAND "${MASING}" ${arg_ARGS} WORKING_DIRECTORY "${arg_IN}" RESULT_VARIABLE code
                  OUTPUT_VARIABLE text ERROR_VARIABLE complaint)
  if(NOT code STREQUAL "${arg_CODE}")
    message(FATAL_ERROR "masing ${arg_ARGS}\nended with ${code} instead of ${arg_CODE}\n${text}\n${complaint}")
  endif()
  set(output "${text}" PARENT_SCOPE)
  set(errors "${complaint}" PARENT_SCOPE)
endfunction()

# Stops unless `text` has `part` in it.
function(expect_part text part)
  string(FIND "${text}" "${part}" place)
  if(place EQUAL -1)
    message(FATAL_ERROR "Expected: ${part}\nin:\n${text}")
  endif()
endfunction()

function(expect_file path)
  if(NOT EXISTS "${path}")
    message(FATAL_ERROR "${path} was not written")
  endif()
endfunction()

# Words separated by single spaces, so that line breaks do not count.
function(words_of text variable)
  string(REGEX REPLACE "[ \t\r\n]+" " " text "${text}")
  string(STRIP "${text}" text)
  set(${variable} "${text}" PARENT_SCOPE)
endfunction()
