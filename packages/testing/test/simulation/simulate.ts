/**
 * Runs seeds of the simulation, and prints those that break an invariant, each with its command:
 *
 *     node packages/testing/test/simulation/simulate.ts --from 1 --count 100
 *     node packages/testing/test/simulation/simulate.ts --from 4711 --trace 200
 */
import { printSeeds } from "./printSeeds.ts"

await printSeeds("packages/testing/test/simulation/simulate.ts")
// Timers of the web platform are left over.
process.exit(0)
