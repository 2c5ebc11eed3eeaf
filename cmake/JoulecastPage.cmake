# report.html's style, scripts and chart libraries, embedded in the program. The libraries are Debian's; -DJOULECAST_JAVASCRIPT says where else they lie.
set(JOULECAST_JAVASCRIPT "/usr/share/javascript" CACHE PATH "Folder with dygraphs/ and chart.js/, as Debian's libjs packages have them")
set(dygraphs ${JOULECAST_JAVASCRIPT}/dygraphs)
set(chartjs ${JOULECAST_JAVASCRIPT}/chart.js)
foreach(file ${dygraphs}/dygraph.min.js ${dygraphs}/dygraph.min.css ${chartjs}/chart.min.js)
  if(NOT EXISTS ${file})
    message(FATAL_ERROR "${file} is not there, and results pages draw with it.\nInstall it: apt-get install libjs-dygraphs libjs-chart.js\n"
      "Or name the folder that holds dygraphs/ and chart.js/: -DJOULECAST_JAVASCRIPT=FOLDER")
  endif()
endforeach()
set(page_folder ${PROJECT_SOURCE_DIR}/sim/report/html)
set(page_code ${PROJECT_BINARY_DIR}/generated/page_assets.cpp)
file(GLOB page_files CONFIGURE_DEPENDS ${page_folder}/*.js ${page_folder}/*.css ${page_folder}/*.html)
add_custom_command(OUTPUT ${page_code}
  COMMAND ${CMAKE_COMMAND} -DSOURCE=${page_folder} -DDYGRAPHS=${dygraphs} -DCHARTJS=${chartjs} -DOUTPUT=${page_code}
    -P ${PROJECT_SOURCE_DIR}/cmake/embed_assets.cmake
  DEPENDS ${page_files} ${PROJECT_SOURCE_DIR}/cmake/embed_assets.cmake ${dygraphs}/dygraph.min.js ${dygraphs}/dygraph.min.css ${chartjs}/chart.min.js
  COMMENT "Embedding the page's scripts")
target_sources(joulecast_report PRIVATE ${page_code})
# The libraries are longer than a compiler must take a literal to be; ours take it.
set_source_files_properties(${page_code} PROPERTIES COMPILE_OPTIONS -Wno-overlength-strings)
