# Flit arbiters: the contract; that no input and no application waits longer than its bound, and that some do as long.
foreach(arbiter round_robin oldest weighted)
  proved(${arbiter}.4_inputs.2_apps "" ${arbiter})
  proved(${arbiter}.own_assertions.4_inputs.2_apps "" ${arbiter} OwnAssertions=1)
  refuted(${arbiter}.input_waits_less_1.3_inputs "" 8 ${arbiter} Inputs=3 Earlier=1)
  proved(${arbiter}.16_inputs.4_apps nightly ${arbiter} Inputs=16 Apps=4 LengthW=4 AgeW=12 WeightW=6)
endforeach()
proved(weighted.5_inputs.3_apps "" weighted Inputs=5 Apps=3 LengthW=3 WeightW=3)
refuted(weighted.application_waits_less_1.3_inputs.3_apps "" 8 weighted Inputs=3 Apps=3 EarlierApps=1)
