/** An instance with a canary that does well, one that is rolled back, a shadow, and labelled Decisions. */
import type { Signalbox as Instance } from "@signalbox/core"
import { type Upstream, UpstreamFailure } from "@signalbox/core/upstream"
import { Signalbox } from "@signalbox/node"
import { type ExperimentMeasures, ExperimentStore, NanoUsd } from "@signalbox/core/stores"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { hostile } from "./consoleInstance.ts"

const usage = { inputTokens: 100, outputTokens: 20 }

/** Is surer than it should be: it says 90 % each time. */
const provider: Upstream = {
  slug: "steady",
  name: hostile,
  chat: {
    complete: ({ model }) =>
      model === "demo/broken"
        ? Effect.fail(new UpstreamFailure({ kind: "server_error", status: 500, detail: hostile }))
        : Effect.succeed({
            choices: [
              {
                index: 0,
                answer: { parts: [{ type: "text", text: "Hi." }], end: { reason: "stop" } }
              }
            ],
            usage
          }),
    stream: () => {
      throw new Error("nothing is streamed here")
    },
    estimateWorstCase: () => usage
  },
  decisions: {
    decide: ({ questions }) =>
      Effect.succeed({
        verdicts: new Map(Object.keys(questions).map((name) => [name, { weights: [0.9, 0.1] }])),
        usage,
        method: "native"
      }),
    estimateWorstCase: () => usage
  }
}

const models = {
  "demo/usual": "0.00001",
  "demo/cheap": "0.000002",
  "demo/other": "0.00001",
  "demo/broken": "0.00001",
  "demo/judge": "0"
}

/** Requests of one side, which took about 1 s each; a bucket more is 15 % longer. */
const makeArm = (requests: number, errors: number, cost: bigint, buckets = 0) => ({
  requests,
  errors,
  latency: { count: requests - errors, first: 66 + buckets, counts: [requests - errors] },
  cost: NanoUsd.make(cost),
  // Requests cost about the same.
  costSquares: (cost * cost * 101n) / BigInt(100 * requests)
})

const shadowed = { compared: 0, agreed: 0, skipped: 0, unmeasured: 0 }

/** What each experiment measured, by its model on trial. */
const measuresByModel: Readonly<Record<string, ExperimentMeasures>> = {
  "demo/cheap": {
    ...shadowed,
    control: makeArm(1_000, 8, 1_000_000_000n),
    trial: makeArm(1_000, 10, 200_000_000n, -2)
  },
  "demo/broken": {
    ...shadowed,
    control: makeArm(300, 0, 300_000_000n),
    trial: makeArm(300, 300, 0n)
  },
  "demo/usual": {
    control: makeArm(400, 4, 400_000_000n),
    trial: makeArm(400, 3, 390_000_000n),
    compared: 390,
    agreed: 351,
    skipped: 12,
    unmeasured: 0
  }
}

export const startExperimentsInstance = async (): Promise<Instance> => {
  const instance = await Signalbox.make({
    upstreams: [provider],
    models: Object.entries(models).map(([id, prompt]) => ({
      id,
      endpoints: [{ provider: "steady", price: { prompt, completion: prompt } }]
    })),
    experiments: [
      { match: { model: "demo/usual" }, to: "demo/cheap", mode: "canary", share: 0.5 },
      { match: { model: "demo/other" }, to: "demo/broken", mode: "canary", share: 0.5 },
      {
        match: { model: "demo/cheap" },
        to: "demo/usual",
        mode: "shadow",
        share: 0.5,
        budgetUsd: 5
      }
    ],
    keys: [{ key: "sk-of-experiments", kind: "management" }],
    settings: { experimentSyncMillis: 50, breakerMinSamples: 100_000 }
  })
  const store = Context.get(instance.context, ExperimentStore)
  const { data } = await instance.experiments.list()
  for (const { id, to } of data) {
    const measured = measuresByModel[to]
    if (measured !== undefined) await Effect.runPromise(store.add(id, 1, measured, Date.now()))
  }
  for (let at = 0; at < 60; at++) {
    const { id } = await instance.decide({
      model: "demo/judge",
      state: "My card was charged twice!",
      questions: { urgent: { type: "noul", instructions: hostile } },
      calibration: { mode: "auto" }
    })
    // Right in 7 of 10 cases.
    if (id !== undefined) {
      await instance.label({ generation_id: id, labels: { urgent: at % 10 < 7 } })
    }
  }
  await instance.calibration.refit({})
  return instance
}
