# Regulators of memory budgets: the contract; that a budget is never exceeded and never withheld, and may be used whole.
foreach(regulator hard reclaim)
  proved(${regulator}.2_apps "" ${regulator})
  proved(${regulator}.own_assertions.2_apps "" ${regulator} OwnAssertions=1)
  refuted(${regulator}.exceeded_less_1 "" 8 ${regulator} Earlier=1)
  proved(${regulator}.4_apps nightly ${regulator} Apps=4 TokenW=12 LengthW=8)
endforeach()
