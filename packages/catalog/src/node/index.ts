export { loadHardware } from './load-hardware.js'
export type { LoadOptions } from './load-model.js'
export { loadModel } from './load-model.js'
