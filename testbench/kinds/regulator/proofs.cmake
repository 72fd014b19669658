# Regulators of memory budgets: the contract; that a budget is never exceeded and never withheld, and may be used whole.
foreach(regulator hard reclaim)
  proved(${regulator}.2_apps "" ${regulator})
  proved(${regulator}.own_assertions.2_apps nightly ${regulator} OwnAssertions=1)
  refuted(${regulator}.exceeded_less_1 "" 8 ${regulator} Earlier=1)
  proved(${regulator}.3_apps nightly ${regulator} Apps=3 TokenW=5 LengthW=4)
endforeach()
