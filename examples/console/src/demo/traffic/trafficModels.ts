/** The providers and models of the demo traffic. They answer in process, at the pace of real ones. */
import type { ModelConfig, Options } from "@signalbox/core"
import type { DecisionCapability, Upstream } from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"
import { wordOverlap } from "../wordOverlap.ts"
import { type Pace, waitForFirstToken } from "./Pace.ts"
import { pacedChat } from "./pacedChat.ts"
import { pacedEmbeddings } from "./pacedEmbeddings.ts"

const minute = 60_000

const paces: Readonly<Record<string, Pace>> = {
  "demo-harbor": { firstTokenMillis: 180, tokensPerSecond: 140, errorShare: 0.002 },
  "demo-northwind": { firstTokenMillis: 420, tokensPerSecond: 70, errorShare: 0.01 },
  // The cheapest one has failed since an hour before the start, recovers 20 minutes after it, and fails again 40 minutes later.
  "demo-driftwood": {
    firstTokenMillis: 600,
    tokensPerSecond: 45,
    errorShare: 0.04,
    outage: { since: Date.now() - 100 * minute, everySeconds: 7_200, downSeconds: 4_800 }
  }
}

const pacedDecisions = (pace: Pace): DecisionCapability => ({
  ...wordOverlap,
  decide: (call) => Effect.andThen(waitForFirstToken(pace), wordOverlap.decide(call))
})

export const providerNames: Readonly<Record<string, string>> = {
  "demo-harbor": "Demo Harbor",
  "demo-northwind": "Demo Northwind",
  "demo-driftwood": "Demo Driftwood"
}

const upstreams: ReadonlyArray<Upstream> = Object.entries(paces).map(([slug, pace]) => ({
  slug,
  name: providerNames[slug] ?? slug,
  chat: pacedChat(pace),
  decisions: pacedDecisions(pace),
  embeddings: pacedEmbeddings(pace)
}))

/** A model of the traffic. */
export interface TrafficModel {
  readonly id: string
  /** The name that its providers know. */
  readonly name: string
  readonly title: string
  readonly operation: "chat" | "decisions" | "embeddings"
  /** The cheapest first; prices in USD per token. */
  readonly endpoints: ReadonlyArray<{
    readonly provider: string
    readonly prompt: string
    readonly completion: string
  }>
}

/** The busiest first. */
export const trafficModels: ReadonlyArray<TrafficModel> = [
  {
    id: "demo/atlas-mini",
    name: "atlas-mini",
    title: "Demo: Atlas Mini",
    operation: "chat",
    endpoints: [
      { provider: "demo-driftwood", prompt: "0.0000001", completion: "0.0000004" },
      { provider: "demo-northwind", prompt: "0.00000015", completion: "0.0000006" },
      { provider: "demo-harbor", prompt: "0.0000002", completion: "0.0000008" }
    ]
  },
  {
    id: "demo/atlas-large",
    name: "atlas-large",
    title: "Demo: Atlas Large",
    operation: "chat",
    endpoints: [
      { provider: "demo-northwind", prompt: "0.0000025", completion: "0.00001" },
      { provider: "demo-harbor", prompt: "0.000003", completion: "0.000012" }
    ]
  },
  {
    id: "demo/triage-1",
    name: "overlap-2",
    title: "Demo: Triage",
    operation: "decisions",
    endpoints: [
      { provider: "demo-driftwood", prompt: "0.00000004", completion: "0.00000004" },
      { provider: "demo-harbor", prompt: "0.00000006", completion: "0.00000006" }
    ]
  },
  {
    id: "demo/vector-1",
    name: "vector-1",
    title: "Demo: Vector",
    operation: "embeddings",
    endpoints: [
      { provider: "demo-northwind", prompt: "0.00000002", completion: "0" },
      { provider: "demo-harbor", prompt: "0.00000003", completion: "0" }
    ]
  }
]

/** On trial in a canary, in place of `demo/atlas-large`. */
const nextModel: TrafficModel = {
  id: "demo/atlas-next",
  name: "atlas-next",
  title: "Demo: Atlas Next",
  operation: "chat",
  endpoints: [{ provider: "demo-harbor", prompt: "0.000002", completion: "0.000008" }]
}

const outputs = { chat: ["text"], decisions: ["text", "decisions"], embeddings: ["embeddings"] }

const toModelConfig = ({ endpoints, id, name, operation, title }: TrafficModel): ModelConfig => ({
  id,
  name: title,
  created: 1_795_000_000,
  card: { architecture: { input_modalities: ["text"], output_modalities: outputs[operation] } },
  endpoints: endpoints.map(({ completion, prompt, provider }) => ({
    provider,
    model: name,
    price: {
      prompt,
      completion,
      // A tenth, as many providers ask for tokens that they read from a cache.
      ...(operation === "chat" ? { input_cache_read: (Number(prompt) / 10).toFixed(12) } : {})
    },
    contextLength: 32_768,
    data: { collects: false, trains: false, retains: false }
  }))
})

/** The same options with the providers and models of the traffic, which serve no other models. */
export const withTrafficModels = (options: Options): Options => ({
  ...options,
  upstreams: [...(options.upstreams ?? []), ...upstreams],
  models: [
    ...(Array.isArray(options.models) ? options.models : []),
    ...[...trafficModels, nextModel].map(toModelConfig)
  ],
  experiments: [
    { match: { model: "demo/atlas-large" }, to: nextModel.id, mode: "canary", share: 0.2 }
  ]
})
