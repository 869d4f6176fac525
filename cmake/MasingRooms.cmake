# masing_add_room(contact DEPENDS core LIBRARIES some::target)
#
# A room is a folder lib/masing/<room> and a static library masing_<room>. DEPENDS are the rooms it may include, as in
# the table of docs/architecture.md; LIBRARIES are third-party targets that stay inside its .cpp files.
function(masing_add_room room)
  cmake_parse_arguments(arg "" "" "DEPENDS;LIBRARIES" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/lib/masing/${room}/*.cpp")
  if(NOT sources)
    return()
  endif()
  add_library(masing_${room} STATIC ${sources})
  add_library(masing::${room} ALIAS masing_${room})
  set_target_properties(masing_${room} PROPERTIES EXPORT_NAME ${room})
  target_include_directories(masing_${room} PUBLIC "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/lib>"
                                                   "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
  list(TRANSFORM arg_DEPENDS PREPEND masing_)
  target_link_libraries(masing_${room} PUBLIC masing_compiler ${arg_DEPENDS}
                                       PRIVATE ${arg_LIBRARIES} $<BUILD_INTERFACE:masing_warnings>)
  if(NOT room STREQUAL "core")
    masing_reuse_headers(masing_${room} masing_core)
  endif()
  set_property(GLOBAL APPEND PROPERTY MASING_ROOM_TARGETS masing_${room})
endfunction()
