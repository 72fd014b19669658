# gputlm_embed_page(): compiles the page of `gputlm report` and its library of charts into the program
# (platform/report/page.cpp). The page is platform/report/page/page.html, with style.css and all modules (*.mjs) joined into one.
# Joining removes the imports and the word `export`, so that names must be unique among the modules. Loading a module only
# registers its parts; main.mjs comes last. Editing, adding or removing a file re-runs CMake.
function(gputlm_embed_page)
  set(folder ${PROJECT_SOURCE_DIR}/platform/report/page)
  file(GLOB modules CONFIGURE_DEPENDS ${folder}/*.mjs)
  list(FILTER modules EXCLUDE REGEX /main\\.mjs$)
  list(SORT modules)
  list(APPEND modules ${folder}/main.mjs)
  set(code "")
  foreach(module IN LISTS modules)
    file(READ ${module} text)
    string(REGEX REPLACE "(^|\n)import [^;]*;" "\\1" text "${text}")
    string(REGEX REPLACE "(^|\n)export " "\\1" text "${text}")
    string(APPEND code "${text}")
  endforeach()
  file(READ ${folder}/style.css style)
  file(READ ${folder}/page.html page)
  string(REPLACE "@style@" "${style}" page "${page}")
  string(REPLACE "@modules@" "${code}" page "${page}")
  set(output ${PROJECT_BINARY_DIR}/generated/report_page.html)
  file(WRITE ${output}.new "${page}")
  file(COPY_FILE ${output}.new ${output} ONLY_IF_DIFFERENT)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${modules} ${folder}/style.css ${folder}/page.html)

  set(library ${PROJECT_SOURCE_DIR}/third_party/echarts/echarts.min.js)
  set_source_files_properties(${PROJECT_SOURCE_DIR}/platform/report/page.cpp PROPERTIES
    OBJECT_DEPENDS "${output};${library}" SKIP_UNITY_BUILD_INCLUSION ON
    COMPILE_DEFINITIONS "GPUTLM_PAGE_FILE=\"${output}\";GPUTLM_ECHARTS_FILE=\"${library}\"")
endfunction()
