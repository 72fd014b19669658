# Sorters of 8 warps: state and grants; the list of warps; their order by age in it; the order that is given. Each step
# rests on the ones before it.
set(night_gto nightly)
foreach(sorter lrr gto qaws)
  proved(${sorter}.grants.8_warps.2_groups "${night_${sorter}}" ${sorter} BothForms=0)
  proved(${sorter}.grants_of_both_forms.8_warps.2_groups nightly ${sorter})
endforeach()
proved_step(lrr.list.8_warps "" list lrr)
proved_step(lrr.order.8_warps "" order lrr)
proved_step(gto.list.8_warps nightly list gto)
proved_step(gto.ages.8_warps nightly ages gto)
proved_step(gto.order.8_warps nightly order gto)
proved_step(qaws.ages.8_warps.2_groups nightly ages qaws)
proved_step(qaws.list.8_warps.2_groups nightly list qaws)
proved_step(qaws.order.8_warps.2_groups nightly order qaws)
# A sub-core of Volta, and more groups than two.
proved(qaws.grants.16_warps.3_groups nightly qaws Warps=16 Groups=3)
proved_step(qaws.list.16_warps.3_groups nightly list qaws Warps=16 Groups=3)
proved_step(qaws.ages.16_warps.3_groups nightly ages qaws Warps=16 Groups=3)
proved_step(gto.list.16_warps nightly list gto Warps=16)
proved_step(gto.ages.16_warps nightly ages gto Warps=16)
# No group waits longer than its bound, and some do as long.
proved(qaws.waiting_bound.8_warps.2_groups.1_bit "" qaws BudgetW=1 Waiting=1 BothForms=0)
proved(qaws.waiting_bound.8_warps.2_groups nightly qaws Waiting=1)
refuted(qaws.waiting_bound_less_1.8_warps.2_groups nightly 8 qaws Waiting=1 Earlier=1)
proved(qaws.waiting_bound.8_warps.3_groups nightly qaws Groups=3 Waiting=1)
proved(qaws.waiting_bound.8_warps.4_groups nightly qaws Groups=4 BudgetW=3 Waiting=1)

# Of the faults two that the first step must see and one that the last must; by day the regression finds all.
foreach(fault stalls_counted budget_one_late order_not_rotated)
  caught(sorter ${fault} nightly)
endforeach()
