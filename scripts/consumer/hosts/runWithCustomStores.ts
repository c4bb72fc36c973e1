/** A host with its own store and provider, which checks that the entry points of the core share their services. */
import assert from "node:assert/strict"
import { App } from "@signalbox/core/adapter"
import { type Generation, GenerationStore, memoryStores } from "@signalbox/core/stores"
import { countOptions, Upstream } from "@signalbox/core/upstream"
import { Signalbox } from "@signalbox/node"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

const undecidedUpstream = Layer.succeed(Upstream, {
  slug: "undecided",
  name: "Undecided",
  decisions: {
    decide: ({ questions }) =>
      Effect.succeed({
        verdicts: new Map(
          Object.entries(questions).map(([name, question]) => [
            name,
            { weights: Array.from({ length: countOptions(question) }, () => 1) }
          ])
        ),
        usage: { inputTokens: 0, outputTokens: 0 },
        method: "uniform"
      }),
    estimateWorstCase: () => ({ inputTokens: 0, outputTokens: 0 })
  }
})

export const runWithCustomStores = async (): Promise<void> => {
  const stored: Array<Generation> = []
  const mine = Layer.succeed(GenerationStore, {
    record: (generations) => Effect.sync(() => void stored.push(...generations)),
    find: (_account, id) => Effect.sync(() => stored.find((generation) => generation.id === id)),
    list: () => Effect.sync(() => ({ rows: stored })),
    listSessions: () => Effect.succeed({ rows: [] }),
    scan: () => Effect.sync(() => ({ rows: stored }))
  })
  const instance = await Signalbox.make({
    stores: Layer.provideMerge(mine, memoryStores),
    upstreams: [undecidedUpstream],
    models: [{ id: "house/coin", endpoints: [{ provider: "undecided", price: {} }] }]
  })
  const { answers } = await instance.decide({
    model: "house/coin",
    state: "",
    questions: { heads: { type: "noul", instructions: "Heads?" } }
  })
  assert.equal(answers.heads.noul, 0.5)
  assert.ok(Context.get(instance.context, App))
  await instance.close()
  assert.equal(stored.length, 1)
}
