# The kernel order: its contract, for any table of this size. Below the most urgent level a kernel may wait for ever.
proved(leftover.6_kernels "" leftover)
proved(leftover.own_assertions.6_kernels nightly leftover OwnAssertions=1)
refuted(leftover.served_at_last.3_kernels "" 12 leftover Kernels=3 Fair=1)
proved(leftover.9_kernels nightly leftover Kernels=9 LevelW=3)
