export { type PerfModelCheck, type PerfModelProbes, perfModelContract } from './perf-model-contract.js'
