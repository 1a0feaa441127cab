import { deploymentRules } from './deployment-rules.js'
import type { Rule } from './draft.js'
import { goalRules } from './goal-rules.js'
import { inactiveRules } from './inactive-rules.js'
import { plannerRules } from './planner-rules.js'
import { servingRules } from './serving-rules.js'
import { workloadRules } from './workload-rules.js'

/** Every rule that spans fields. */
export const CONFIG_RULES: readonly Rule[] = [
  deploymentRules,
  servingRules,
  plannerRules,
  workloadRules,
  goalRules,
  inactiveRules,
]
