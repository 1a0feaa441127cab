export { createOptimizer } from './gp-optimizer.js'
export { SOBOL_MAX_DIMENSIONS, SobolSequence } from './random/sobol.js'
export { createQuasiRandomOptimizer } from './samplers/quasi-random-optimizer.js'
export { createRandomOptimizer } from './samplers/random-optimizer.js'
