# masing validate: a case of its own, one that misses its acceptance, wrong usage.
include("${CMAKE_CURRENT_LIST_DIR}/support.cmake")
fresh_folder("${SCRATCH}")

# a case of its own
set(slider "${SCRATCH}/cases/slider")
file(MAKE_DIRECTORY "${slider}")
file(WRITE "${slider}/slider.toml" "[[joint]]\nlaw = \"jenkins\"\nstiffness = 1e6\nslip_force = 10\n"
     "[[loop]]\nmotion = { kind = \"cycles\", amplitudes = [2e-5] }\n")
file(WRITE "${slider}/published.csv" "id,value,unit,origin,source,note\nW,0.4,mJ,evaluated,eq. (1),\n")
string(CONCAT head "title = \"A slider\"\npublication = \"A. Author, 2020\"\n"
       "[[run]]\nname = \"coarse\"\nstudy = \"slider.toml\"\ncommand = \"loop\"\n"
       "[[run]]\nname = \"fine\"\nstudy = \"slider.toml\"\ncommand = \"loop\"\nset = [\"loop.0.samples=1600\"]\n"
       "[[quantity]]\nname = \"energy\"\npublished = \"W\"\nverify = { run = \"fine\" }\nverified_how = \"finer\"\n"
       "take = { kind = \"loop\", run = \"coarse\", value = \"energy\" }\nreason = \"closed form\"\nclaim = \"reproduced\"\n")
file(WRITE "${slider}/case.toml" "${head}relative = 1e-5\n")
masing(CODE 0 IN "${SCRATCH}" ARGS validate --folder cases --json out.json --report out.html --keep kept)
expect_part("${output}" "1 reproduced.")
expect_part("${output}" "origin")
expect_file("${SCRATCH}/out.html")
expect_file("${SCRATCH}/kept/slider_1.h5")
file(READ "${SCRATCH}/out.json" json)
string(JSON verdict GET "${json}" cases 0 quantities 0 verdict)
if(NOT verdict STREQUAL "reproduced")
  message(FATAL_ERROR "the JSON says ${verdict}")
endif()
masing(CODE 0 IN "${SCRATCH}" ARGS validate --folder cases --list)
expect_part("${output}" "A slider")
masing(CODE 0 IN "${SCRATCH}" ARGS validate -q --folder cases)
if(NOT output STREQUAL "" OR NOT errors STREQUAL "")
  message(FATAL_ERROR "validate -q said something: ${output}${errors}")
endif()

# an acceptance that is missed: exit code 2, everything is written all the same
file(WRITE "${slider}/published.csv" "id,value,unit,origin,source,note\nW,0.5,mJ,evaluated,eq. (1),\n")
masing(CODE 2 IN "${SCRATCH}" ARGS validate slider --folder cases --json missed.json)
expect_part("${output}" "MISSED")
expect_part("${errors}" "Validation failed: slider.")
file(READ "${SCRATCH}/missed.json" json)
string(JSON accepted GET "${json}" accepted)
if(accepted)
  message(FATAL_ERROR "the JSON says that it is accepted")
endif()

# wrong usage
masing(CODE 1 IN "${SCRATCH}" ARGS validate)
expect_part("${errors}" "validation: there is no such folder.")
masing(CODE 1 IN "${SCRATCH}" ARGS validate slyder --folder cases)
expect_part("${errors}" "validate: there is no case 'slyder' in cases. Did you mean 'slider'?")
masing(CODE 1 IN "${SCRATCH}" ARGS validate --folder cases --json no/such/out.json)
expect_part("${errors}" "validate: no/such/out.json cannot be written, there is no folder no/such.")
file(MAKE_DIRECTORY "${SCRATCH}/folder")
file(WRITE "${SCRATCH}/a_file" "")
masing(CODE 1 IN "${SCRATCH}" ARGS validate --folder cases --report folder)
expect_part("${errors}" "validate: folder cannot be written, it is a folder; name a file in it, as folder/out.")
masing(CODE 1 IN "${SCRATCH}" ARGS validate --folder cases --keep a_file)
expect_part("${errors}" "validate: --keep a_file is a file; it needs a folder.")
file(WRITE "${slider}/case.toml" "${head}relative = 0\n")
masing(CODE 1 IN "${SCRATCH}" ARGS validate --folder cases)
expect_part("${errors}" "quantity 'energy': relative = 0 must be > 0")

# the shipped cases are found (each is run by a test of its own), and have a README
masing(CODE 0 IN "${SCRATCH}" ARGS validate --folder "${VALIDATION}" --list)
expect_part("${output}" "pressure-iwan")
string(REGEX MATCHALL "(^|\n)[^ \n]+" names "${output}")
foreach(name IN LISTS names)
  string(STRIP "${name}" name)
  expect_file("${VALIDATION}/${name}/README.md")
endforeach()
