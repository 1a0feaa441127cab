// Largest gzipped size of each entry point, bundled with its dependencies, in kB (1000 bytes).
export const SIZE_LIMITS_KB = {}
