/** Worlds with several processes, in which one seed decides what is late, lost, cut, killed or paused. */
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { bundleProgram } from "../../../vitest.programs.ts"
import { pickSample, pickScope } from "../../../vitest.scope.ts"
import { plantedFaults } from "./simulation/faults/plantedFaults.ts"
import { startSimulation } from "./simulation/startSimulation.ts"

const seeds = pickScope({ full: 10_000, sample: 50 })
/** The seeds take some minutes of CPU, beside other tests. */
const fullMillis = 3_600_000
/** CI has two cores. */
const workers = 2

const simulate = async (...flags: ReadonlyArray<string>): Promise<ReadonlyArray<string>> =>
  startSimulation(
    await bundleProgram(join(import.meta.dirname, "simulation/simulate.ts")),
    ...flags
  )

const runThree = async (from: string) => {
  const lines = await simulate("--from", from, "--count", "3")
  const { hashes, requests, steps } = JSON.parse(lines.at(-1) ?? "{}")
  return { hashes, requests, steps }
}

describe("a simulated world", () => {
  it("runs in the same way whenever its seed is the same", async () => {
    const first = await runThree("7")
    expect(await runThree("7")).toEqual(first)
    expect(first.requests).toBeGreaterThan(0)
    expect((await runThree("17")).hashes).not.toBe(first.hashes)
  })

  it(
    `breaks no invariant with ${seeds} seeds`,
    async () => {
      const share = Math.ceil(seeds / workers)
      const outputs = await Promise.all(
        Array.from({ length: workers }, (_, worker) =>
          simulate("--from", String(1 + worker * share), "--count", String(share))
        )
      )
      for (const lines of outputs) {
        expect(lines.filter((line) => !line.startsWith("{"))).toEqual([])
        expect(JSON.parse(lines.at(-1) ?? "{}")).toMatchObject({ seeds: share, violations: 0 })
      }
    },
    fullMillis
  )
})

describe("a fault that is planted", () => {
  const numbered = plantedFaults.map((fault, number) => ({ ...fault, number }))

  it.each(pickSample(numbered, 3))("is found: $name", async ({ breaks, number }) => {
    const lines = await simulate("--fault", String(number), "--count", "1000", "--first")
    expect(lines.join("\n")).toContain(`  ${breaks}: `)
  })
})
