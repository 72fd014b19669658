# The admission: its contract, and that nobody with entries of its own waits longer than a round.
proved(reserved.8_entries.2_apps "" reserved)
proved(reserved.8_entries.3_apps.partition nightly reserved Apps=3 HasShared=0)
proved(reserved.own_assertions.8_entries.2_apps nightly reserved OwnAssertions=1)
refuted(reserved.waits_less_1.8_entries.3_apps "" 8 reserved Apps=3 Earlier=1)
proved(reserved.64_entries.4_apps nightly reserved Entries=64 Apps=4 LengthW=3)
proved(reserved.128_entries.8_apps nightly reserved Entries=128 Apps=8 LengthW=3)
