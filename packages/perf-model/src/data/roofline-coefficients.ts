import type { CoefficientTable } from '../roofline/coefficient-sets.js'
export const ROOFLINE_COEFFICIENTS: CoefficientTable = { smVersions: {}, sets: [] }
