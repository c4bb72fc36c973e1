/** Budgets hold for speech and transcriptions: exactly what may be used is reserved, and what was used is charged. */
import { postgres, sqlite } from "@signalbox/sql"
import { pace } from "@signalbox/testing"
import { describe, expect, inject, test } from "vitest"
import { startAudioServer } from "./startAudioServer.ts"

const stores = [
  ["memory", () => ({})],
  ["SQLite", () => ({ stores: sqlite({ path: ":memory:" }) })],
  [
    "Postgres",
    () => ({
      stores: postgres({ url: inject("postgresUrl"), schema: `audio-${crypto.randomUUID()}` })
    })
  ]
] as const

/** A text costs what is reserved for it. A recording of 2 seconds may have 4 by its header, as providers round. */
const operations = [
  { operation: "speak", credits: "0.0006", reserved: 120_000n, cost: 120_000n },
  { operation: "transcribe", credits: "0.002", reserved: 400_000n, cost: 200_000n }
] as const

describe.each(stores)("a budget in %s", (_, makeStores) => {
  test.each(operations)(
    "is never overspent by twenty calls at once: $operation",
    async ({ cost, credits, operation, reserved }) => {
      const server = await startAudioServer({ credits: { default: credits }, ...makeStores() })
      const { first, getCredits } = server
      const gate = first.gate()
      first.always(pace.hold(gate))
      const onlyFirst = { provider: { only: ["first"] } }
      let left = 15
      const refused = Promise.withResolvers<void>()
      const all = Promise.all(
        Array.from({ length: 20 }, async () => {
          const { status } = await server[operation](onlyFirst)
          if (status === 402 && --left === 0) refused.resolve()
          return status
        })
      )
      await Promise.all([first.waitForRequests(5), refused.promise])
      expect(await getCredits()).toEqual({ settled: 0n, reserved: 5n * reserved })
      gate.open()
      expect((await all).filter((status) => status === 200)).toHaveLength(5)
      await expect.poll(getCredits).toEqual({ settled: 5n * cost, reserved: 0n })
      expect(first.requests).toHaveLength(5)
    }
  )
})
