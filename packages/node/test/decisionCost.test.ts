import type { DecisionReply, Upstream } from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { Signalbox } from "../src/index.ts"
import { countFiberWork } from "./countFiberWork.ts"

const request = {
  model: "a/b",
  state: "The lamp has arrived.",
  questions: { calm: { type: "noul", instructions: "Is it calm?" } }
} as const

const reply: DecisionReply = {
  verdicts: new Map([["calm", { weights: [1, 0] }]]),
  usage: { inputTokens: 1, outputTokens: 1 },
  method: "native"
}

const start = (answer: Effect.Effect<DecisionReply>) => {
  const upstream: Upstream = {
    slug: "one",
    name: "One",
    decisions: {
      decide: () => answer,
      estimateWorstCase: () => ({ inputTokens: 1, outputTokens: 1 })
    }
  }
  const price = { prompt: "0.000001", completion: "0.000001" }
  return Signalbox.make({
    upstreams: [upstream],
    models: [{ id: "a/b", endpoints: [{ provider: "one", price, contextLength: 1_000 }] }]
  })
}

describe("a Decision in process", () => {
  const instances: Array<Signalbox> = []
  let immediate: Signalbox
  let waiting: Signalbox

  beforeAll(async () => {
    immediate = await start(Effect.succeed(reply))
    waiting = await start(
      Effect.callback<DecisionReply>((resume) => {
        setImmediate(() => resume(Effect.succeed(reply)))
      })
    )
    instances.push(immediate, waiting)
    // The first request fills caches.
    for (const instance of instances) await instance.decide(request)
  })
  afterAll(() => Promise.all(instances.map((instance) => instance.close())))

  it("needs no fiber when the upstream answers at once", async () => {
    const work = await countFiberWork(() => immediate.decide(request))
    expect(work).toEqual({ fibers: 0, runLoops: 0, contexts: 0 })
  })

  it("needs two fibers when the upstream waits: for the request and for the attempt", async () => {
    const work = await countFiberWork(() => waiting.decide(request))
    expect(work).toEqual({ fibers: 2, runLoops: 4, contexts: 4 })
  })

  it("answers alike", async () => {
    const [now, later] = await Promise.all(instances.map((instance) => instance.decide(request)))
    expect({ ...now, id: "" }).toEqual({ ...later, id: "" })
  })
})
