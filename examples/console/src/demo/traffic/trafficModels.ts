/** The providers and models of the demo traffic. They answer in process, at the pace of real ones. */
import type { ModelConfig, Options } from "@signalbox/core"
import type { DecisionCapability, Upstream } from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"
import { wordOverlap } from "../wordOverlap.ts"
import { type Pace, waitForFirstToken } from "./Pace.ts"
import { pacedChat } from "./pacedChat.ts"
import { pacedEmbeddings } from "./pacedEmbeddings.ts"

const paces: Readonly<Record<string, Pace>> = {
  "demo-harbor": { firstTokenMillis: 180, tokensPerSecond: 140, errorShare: 0.002 },
  "demo-northwind": { firstTokenMillis: 420, tokensPerSecond: 70, errorShare: 0.01 },
  // The cheapest one is out of service for two of every three minutes, from the first minute after the start.
  "demo-driftwood": {
    firstTokenMillis: 600,
    tokensPerSecond: 45,
    errorShare: 0.04,
    outage: { since: Date.now(), everySeconds: 180, downSeconds: 120 }
  }
}

const pacedDecisions = (pace: Pace): DecisionCapability => ({
  ...wordOverlap,
  decide: (call) => Effect.andThen(waitForFirstToken(pace), wordOverlap.decide(call))
})

const names: Readonly<Record<string, string>> = {
  "demo-harbor": "Demo Harbor",
  "demo-northwind": "Demo Northwind",
  "demo-driftwood": "Demo Driftwood"
}

const upstreams: ReadonlyArray<Upstream> = Object.entries(paces).map(([slug, pace]) => ({
  slug,
  name: names[slug] ?? slug,
  chat: pacedChat(pace),
  decisions: pacedDecisions(pace),
  embeddings: pacedEmbeddings(pace)
}))

/** USD per token of input and output. */
const makeModel = (
  id: string,
  name: string,
  model: string,
  prices: Readonly<Record<string, readonly [string, string]>>,
  outputs: ReadonlyArray<string> = ["text"]
): ModelConfig => ({
  id,
  name,
  created: 1_795_000_000,
  card: { architecture: { input_modalities: ["text"], output_modalities: outputs } },
  endpoints: Object.entries(prices).map(([provider, [prompt, completion]]) => ({
    provider,
    model,
    price: { prompt, completion },
    contextLength: 32_768,
    data: { collects: false, trains: false, retains: false }
  }))
})

const models: ReadonlyArray<ModelConfig> = [
  makeModel("demo/atlas-large", "Demo: Atlas Large", "atlas-large", {
    "demo-northwind": ["0.0000025", "0.00001"],
    "demo-harbor": ["0.000003", "0.000012"]
  }),
  makeModel("demo/atlas-mini", "Demo: Atlas Mini", "atlas-mini", {
    "demo-driftwood": ["0.0000001", "0.0000004"],
    "demo-northwind": ["0.00000015", "0.0000006"],
    "demo-harbor": ["0.0000002", "0.0000008"]
  }),
  makeModel(
    "demo/triage-1",
    "Demo: Triage",
    "overlap-2",
    {
      "demo-driftwood": ["0.00000004", "0.00000004"],
      "demo-harbor": ["0.00000006", "0.00000006"]
    },
    ["text", "decisions"]
  ),
  makeModel(
    "demo/vector-1",
    "Demo: Vector",
    "vector-1",
    {
      "demo-northwind": ["0.00000002", "0"],
      "demo-harbor": ["0.00000003", "0"]
    },
    ["embeddings"]
  )
]

/** The same options with the providers and models of the traffic, which serve no other models. */
export const withTrafficModels = (options: Options): Options => ({
  ...options,
  upstreams: [...(options.upstreams ?? []), ...upstreams],
  models: [...(Array.isArray(options.models) ? options.models : []), ...models]
})
