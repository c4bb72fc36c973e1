/** Compares what a fleet has charged with what callers received and with what providers answered. */
import { createHash } from "node:crypto"
import { expect } from "vitest"
import { type CallResult, toGenerationIds } from "../crash/CrashLoad.ts"
import { crashKeys, crashLimits, price } from "../crash/makeCrashInstance.ts"
import type { Fleet } from "./startFleet.ts"

/** How long a process may take to write what waits, on a busy machine. */
const patience = { timeout: 120_000, interval: 500 }

/** Refusals, before which no provider is called. */
const refusals: ReadonlySet<number | undefined> = new Set([401, 402, 429])

const count = (results: ReadonlyArray<CallResult>) => {
  const statuses = results.map(({ response }) => response?.status)
  const answered = statuses.filter((status) => status === 200).length
  const refused = statuses.filter((status) => refusals.has(status)).length
  return {
    answered: BigInt(answered),
    refused: BigInt(refused),
    /** Lost connections and timeouts: a provider may have been called for them. */
    uncertain: BigInt(statuses.length - answered - refused)
  }
}

/**
 * Ends the load and waits until nothing is held. Every answer has been charged and recorded once, what was charged differs from what
 * providers answered by requests without an answer at most, and no limit is exceeded.
 */
export const expectExactBooks = async (fleet: Fleet, countProviderAnswers: () => number) => {
  await fleet.load.stop()
  await expect
    .poll(
      async () => {
        // The next reservation settles what has expired.
        await fleet.askAll(crashKeys.rich, 1)
        return (await fleet.readBooks()).reservations.size
      },
      { timeout: 240_000, interval: 300 }
    )
    .toBe(0)
  const { counters } = await fleet.readBooks()
  const { results } = fleet.load
  const billed = BigInt(countProviderAnswers())
  const all = count(results)
  const total = counters.find(({ name }) => name.startsWith("credits"))?.settled ?? 0n
  expect(billed).toBeGreaterThanOrEqual(all.answered)
  expect(total).toBeGreaterThanOrEqual(billed * price)
  expect(total).toBeLessThanOrEqual((all.answered + all.uncertain) * price)
  for (const name of ["rich", "poor"] as const) {
    const hash = createHash("sha256").update(crashKeys[name]).digest("hex")
    const settled = counters.find((counter) => counter.name.includes(hash))?.settled ?? 0n
    const readSpent = async () => {
      const { spend } = await fleet.readBooks()
      return spend.find(({ subject }) => subject.includes(hash))?.credits ?? 0n
    }
    const { answered, uncertain } = count(results.filter(({ key }) => key === crashKeys[name]))
    expect(settled).toBeLessThanOrEqual(BigInt(crashLimits[name]) * 1_000_000_000n)
    expect(settled).toBeGreaterThanOrEqual(answered * price)
    expect(settled).toBeLessThanOrEqual((answered + uncertain) * price)
    // Usage is written in batches, a moment after its settlement.
    await expect.poll(readSpent, patience).toBeGreaterThanOrEqual(answered * price)
    expect(await readSpent()).toBeLessThanOrEqual(settled)
  }
  await expect
    .poll(async () => {
      const { generations } = await fleet.readBooks()
      return toGenerationIds(results).filter((id) => !generations.has(id))
    }, patience)
    .toEqual([])
  return { ...all, billed, total }
}
