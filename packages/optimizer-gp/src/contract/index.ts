export { defineOptimizerContract, type OptimizerContractSetup } from './optimizer-contract.js'
