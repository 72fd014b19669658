# The size of rtl_models.cpp.
foreach(regulator hard_regulator reclaim_regulator)
  rtl_policy(V${regulator}_8 ${regulator} Apps=8 TokenW=32 LengthW=8)
endforeach()
rtl_unit(gputlm_regulator)
