# traffic.csv has something to tell of every kind of unit.
file(READ ${FILE} text)
foreach(column host work_distributor sm l2 dram)
  if(NOT text MATCHES "\n[0-9]+,${column},[1-9]")
    message(FATAL_ERROR "${FILE}: nothing of ${column}")
  endif()
endforeach()
