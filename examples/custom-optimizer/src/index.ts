export { createOptimizer } from './evolution-strategy.js'
