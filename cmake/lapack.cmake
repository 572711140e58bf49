# SPDX-License-Identifier: MIT
# ARNE_LAPACK: what base parameters link. The archives of the reference LAPACK, which have one thread and stay inside
# libarne_identify. OpenBLAS, where it is the system's BLAS, starts a thread per core as soon as it is loaded, before main: a
# program that only prints its version pays for them, and waits for ever where memory does not allow them.
find_library(ARNE_LAPACKE_ARCHIVE liblapacke.a)
find_library(ARNE_LAPACK_ARCHIVE liblapack.a PATH_SUFFIXES lapack) # the folders of Debian: not the one that is the alternative
find_library(ARNE_BLAS_ARCHIVE libblas.a PATH_SUFFIXES blas)
find_library(ARNE_GFORTRAN NAMES gfortran libgfortran.so.5 HINTS ${CMAKE_C_IMPLICIT_LINK_DIRECTORIES})
set(ARNE_LAPACK ${ARNE_LAPACKE_ARCHIVE} ${ARNE_LAPACK_ARCHIVE} ${ARNE_BLAS_ARCHIVE} ${ARNE_GFORTRAN})
set(REAL_PATHS "")
foreach(ARCHIVE ${ARNE_LAPACK})
  get_filename_component(REAL "${ARCHIVE}" REALPATH)
  list(APPEND REAL_PATHS "${REAL}")
endforeach()
if("${REAL_PATHS}" MATCHES "NOTFOUND|openblas|atlas|mkl")
  pkg_check_modules(LAPACKE REQUIRED lapacke)
  set(ARNE_LAPACK ${LAPACKE_LINK_LIBRARIES})
  message(WARNING "no archives of the reference LAPACK (Debian: liblapacke-dev liblapack-dev libblas-dev): base parameters use the "
                  "system's, which may start threads")
endif()
# for pkg-config --static: the runtime by its short name, so that it may be an archive too
string(REPLACE ";" " " ARNE_LAPACK_PC "${ARNE_LAPACK}")
string(REGEX REPLACE "[^ ]*libgfortran\\.(so|a)( |$)" "-lgfortran" ARNE_LAPACK_PC "${ARNE_LAPACK_PC}")
