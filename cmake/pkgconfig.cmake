# SPDX-License-Identifier: MIT
# NAME.pc and NAME_static.pc. Both libraries lie in one folder, where -lNAME is the shared one: the second module names the archive.
#   arne_pc(NAME DESCRIPTION [NEEDS modules its users see] [INSIDE modules of arne they do not] [MODULES others] [LIBS -l...])
file(RELATIVE_PATH PREFIX_OF_PC /${CMAKE_INSTALL_LIBDIR}/pkgconfig /) # what is installed may be moved as a whole
string(REGEX REPLACE "/$" "" PREFIX_OF_PC "${PREFIX_OF_PC}")
function(arne_pc NAME DESCRIPTION)
  cmake_parse_arguments(A "" "" "NEEDS;INSIDE;MODULES;LIBS" ${ARGN})
  string(REPLACE ";" " " LIBS "${A_LIBS}")

  set(PC_NAME ${NAME})
  string(REPLACE ";" " " PC_REQUIRES "${A_NEEDS}")
  string(REPLACE ";" " " PC_REQUIRES_PRIVATE "${A_INSIDE};${A_MODULES}")
  set(PC_LIBS "-L\${libdir} -l${NAME} -lm") # -lm: for the user's own sines
  set(PC_LIBS_PRIVATE "${LIBS}")
  configure_file(cmake/arne.pc.in ${CMAKE_BINARY_DIR}/${PC_NAME}.pc @ONLY)

  set(PC_NAME ${NAME}_static)
  list(TRANSFORM A_NEEDS APPEND _static)
  list(TRANSFORM A_INSIDE APPEND _static)
  string(REPLACE ";" " " PC_REQUIRES "${A_INSIDE};${A_NEEDS};${A_MODULES}")
  set(PC_REQUIRES_PRIVATE "")
  set(PC_LIBS "\${libdir}/lib${NAME}.a ${LIBS} -lm")
  set(PC_LIBS_PRIVATE "")
  configure_file(cmake/arne.pc.in ${CMAKE_BINARY_DIR}/${PC_NAME}.pc @ONLY)

  install(FILES ${CMAKE_BINARY_DIR}/${NAME}.pc ${CMAKE_BINARY_DIR}/${NAME}_static.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()
