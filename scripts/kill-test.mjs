#!/usr/bin/env node
// Kills a sweep 50 times (or as often as the first argument says) at random moments and compares the final bytes.
import { pnpm } from './bootstrap.mjs'

const kills = process.argv[2] ?? '50'
const args = ['exec', 'vitest', 'run', 'packages/spica-cli/test/cli/kill.test.ts', '-t', 'kills at random moments']
process.exit(pnpm(args, { env: { ...process.env, SPICA_KILLS: kills } }))
