/** A host with a store and a provider of its own: the entries of the core share their services. */
import assert from "node:assert/strict"
import { App } from "@signalbox/core/adapter"
import { type Generation, GenerationStore, memoryStores } from "@signalbox/core/stores"
import { optionCount, Upstream } from "@signalbox/core/upstream"
import { Signalbox } from "@signalbox/node"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

const undecided = Layer.succeed(Upstream, {
  slug: "undecided",
  name: "Undecided",
  decisions: {
    decide: ({ questions }) =>
      Effect.succeed({
        verdicts: new Map(
          Object.entries(questions).map(([name, question]) => [
            name,
            { weights: Array.from({ length: optionCount(question) }, () => 1) }
          ])
        ),
        usage: { inputTokens: 0, outputTokens: 0 },
        method: "uniform"
      }),
    worstCase: () => ({ inputTokens: 0, outputTokens: 0 })
  }
})

export const onOwnPlugs = async (): Promise<void> => {
  const kept: Array<Generation> = []
  const mine = Layer.succeed(GenerationStore, {
    record: (generation) => Effect.sync(() => void kept.push(generation)),
    find: (_account, id) => Effect.sync(() => kept.find((generation) => generation.id === id))
  })
  const box = await Signalbox.make({
    stores: Layer.provideMerge(mine, memoryStores),
    upstreams: [undecided],
    models: [{ id: "house/coin", endpoints: [{ provider: "undecided", price: {} }] }]
  })
  const { answers } = await box.decide({
    model: "house/coin",
    state: "",
    questions: { heads: { type: "noul", instructions: "Heads?" } }
  })
  assert.equal(answers.heads.noul, 0.5)
  assert.equal(kept.length, 1)
  assert.ok(Context.get(box.context, App))
  await box.close()
}
