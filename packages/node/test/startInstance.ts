/** Starts an instance with one scripted upstream. */
import type { Upstream } from "@signalbox/core/upstream"
import { type Options, Signalbox } from "@signalbox/node"
import * as Effect from "effect/Effect"
import { onTestFinished } from "vitest"

export const key = "sk-test-member"

export const requestBody = JSON.stringify({
  model: "test/model",
  state: "anything",
  questions: { sure: { type: "noul", instructions: "Are you sure?" } }
})

/** Counts the calls of its upstream. */
export const startInstance = async (options: Pick<Options, "broadcast"> = {}) => {
  let calls = 0
  const upstream: Upstream = {
    slug: "counting",
    name: "Counting",
    decisions: {
      estimateWorstCase: () => ({ inputTokens: 1, outputTokens: 1 }),
      decide: () =>
        Effect.sync(() => {
          calls++
          return {
            verdicts: new Map([["sure", { weights: [1, 0] }]]),
            usage: { inputTokens: 1, outputTokens: 1 },
            method: "native"
          }
        })
    }
  }
  const instance = await Signalbox.make({
    upstreams: [upstream],
    models: [{ id: "test/model", endpoints: [{ provider: "counting", price: {} }] }],
    keys: [{ key, kind: "member", user: "ada" }],
    settings: { drainTimeoutMillis: 600_000 },
    ...options
  })
  onTestFinished(() => instance.close())
  return { instance, calls: () => calls }
}
