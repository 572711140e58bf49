# SPDX-License-Identifier: MIT
# The Python package, target `python`: build/python/arne. One extension by the stable ABI of Python 3.11 with the libraries inside,
# small Python files, the program, the shipped robots and scenarios (python/assemble.py).
#   ARNE_PYTHON          the Python that builds and tests it: the first that has numpy, of those here
#   ARNE_PYTHON_INCLUDE  the folder of its Python.h; empty: there is none, and no target
set(ARNE_PYTHON "" CACHE FILEPATH "the Python to build the package for")
if(NOT ARNE_PYTHON OR NOT EXISTS "${ARNE_PYTHON}") # it may have gone with its environment
  find_program(ARNE_PYTHON3 python3)
  foreach(CANDIDATE ${ARNE_PYTHON3} /usr/bin/python3)
    execute_process(COMMAND ${CANDIDATE} -c "import numpy" RESULT_VARIABLE WITHOUT OUTPUT_QUIET ERROR_QUIET)
    if("${WITHOUT}" STREQUAL 0)
      set(ARNE_PYTHON ${CANDIDATE} CACHE FILEPATH "" FORCE)
      break()
    endif()
  endforeach()
endif()
set(ARNE_PYTHON_INCLUDE "")
if(ARNE_PYTHON)
  execute_process(COMMAND ${ARNE_PYTHON} -c "import sys, sysconfig; assert sys.version_info >= (3, 11); print(sysconfig.get_paths()['include'])"
                  OUTPUT_VARIABLE ARNE_PYTHON_INCLUDE OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(NOT EXISTS "${ARNE_PYTHON_INCLUDE}/Python.h")
    set(ARNE_PYTHON_INCLUDE "")
  endif()
endif()

if(ARNE_PYTHON_INCLUDE)
  find_package(Threads REQUIRED)
  file(GLOB PYTHON_SOURCES CONFIGURE_DEPENDS python/src/*.c)
  add_library(arne_python MODULE EXCLUDE_FROM_ALL ${PYTHON_SOURCES})
  target_include_directories(arne_python PRIVATE src)
  target_include_directories(arne_python SYSTEM PRIVATE ${ARNE_PYTHON_INCLUDE})
  target_compile_options(arne_python PRIVATE -Wconversion -Wshadow -Wstrict-prototypes)
  target_link_libraries(arne_python PRIVATE arne_identify arne_file arne Threads::Threads ${CMAKE_DL_LIBS})
  target_link_options(arne_python PRIVATE LINKER:--exclude-libs,ALL)
  set_target_properties(arne_python PROPERTIES PREFIX "" OUTPUT_NAME _arne SUFFIX .abi3.so
                        LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/python/arne)
  set(IN_ALL "")
  if(ARNE_TESTS AND CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT ARNE_SANITIZE)
    set(IN_ALL ALL)
  endif()
  add_custom_target(python ${IN_ALL} COMMAND ${ARNE_PYTHON} -B ${PROJECT_SOURCE_DIR}/python/assemble.py
                    ${CMAKE_BINARY_DIR}/python/arne $<TARGET_FILE:arne_cli> DEPENDS arne_python arne_cli VERBATIM)
endif()
