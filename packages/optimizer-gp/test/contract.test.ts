import { describe, it } from 'vitest'
import { defineOptimizerContract } from '../src/contract/index.js'
import { createOptimizer, createQuasiRandomOptimizer, createRandomOptimizer } from '../src/index.js'

describe('gp', () => defineOptimizerContract({ createOptimizer, describe, it, trials: 25 }))
describe('random', () => defineOptimizerContract({ createOptimizer: createRandomOptimizer, describe, it }))
describe('quasi-random', () => defineOptimizerContract({ createOptimizer: createQuasiRandomOptimizer, describe, it }))
