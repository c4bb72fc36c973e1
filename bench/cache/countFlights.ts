/** Requests that are the same at once, with a cache and without: the calls that a provider gets. */
import type { Upstream } from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"
import { startTalker } from "../inMemoryTalker.ts"
import { median } from "../quantile.ts"

/** A provider that takes a while, and counts its calls. */
const makeUpstream = (answerMillis: number) => {
  const told = { calls: 0 }
  const upstream: Upstream = {
    slug: "alpha",
    name: "Alpha",
    chat: {
      complete: () => {
        told.calls++
        return Effect.delay(
          Effect.succeed({
            choices: [
              {
                index: 0,
                answer: { parts: [{ type: "text", text: "Yes." }], end: { reason: "stop" } }
              }
            ],
            usage: { inputTokens: 100, outputTokens: 5 }
          } as const),
          answerMillis
        )
      },
      stream: () => {
        throw new Error("it is not called")
      },
      estimateWorstCase: () => ({ inputTokens: 400, outputTokens: 5 })
    }
  }
  return { told, upstream }
}

export const countFlights = async (rounds: number, atOnce: number, answerMillis = 20) => {
  const rows = []
  for (const isCached of [false, true]) {
    const { told, upstream } = makeUpstream(answerMillis)
    const { ask, close } = await startTalker("none", {
      upstreams: [upstream],
      ...(isCached ? { responseCache: { enabled: true } } : undefined)
    })
    const times: Array<number> = []
    for (let round = -1; round < rounds; round++) {
      const startedAt = performance.now()
      await Promise.all(Array.from({ length: atOnce }, () => ask(`Round ${round}?`)))
      if (round >= 0) times.push(performance.now() - startedAt)
    }
    rows.push({
      [`${atOnce} at once`]: isCached ? "with a cache" : "without",
      "calls of the provider": told.calls / (rounds + 1),
      "all answered, median ms": median(times).toFixed(1)
    })
    await close()
  }
  return rows
}
