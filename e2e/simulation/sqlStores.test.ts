/** Simulated worlds whose processes share a database with the SQL of the product. */
import { join } from "node:path"
import { expect, it } from "vitest"
import { startSimulation } from "../../packages/testing/test/simulation/startSimulation.ts"
import { bundleProgram } from "../../vitest.programs.ts"
import { pickScope } from "../../vitest.scope.ts"

const seeds = pickScope({ full: 150, sample: 3 })

it(`breaks no invariant on SQL with ${seeds} seeds, and replays`, async () => {
  const program = await bundleProgram(join(import.meta.dirname, "simulateOnSql.ts"))
  const run = async (count: number) => {
    const lines = await startSimulation(program, "--from", "1", "--count", String(count))
    expect(lines.filter((line) => !line.startsWith("{"))).toEqual([])
    return JSON.parse(lines.at(-1) ?? "{}")
  }
  const { hashes } = await run(2)
  expect((await run(2)).hashes).toBe(hashes)
  expect(await run(seeds)).toMatchObject({ seeds, violations: 0 })
})
