/** Three demo providers that serve two demo models at different prices. */
import type { ModelConfig, Upstream } from "@signalbox/core"
import { failingEveryThird } from "./failingEveryThird.ts"
import { wordOverlap } from "./wordOverlap.ts"

/** The cheapest is drawn most often, so it is the one that fails. */
export const demoUpstreams: ReadonlyArray<Upstream> = [
  {
    slug: "demo-bargain",
    name: "Demo Bargain (word overlap)",
    decisions: failingEveryThird(wordOverlap)
  },
  { slug: "demo-steady", name: "Demo Steady (word overlap)", decisions: wordOverlap },
  { slug: "demo-premium", name: "Demo Premium (word overlap)", decisions: wordOverlap }
]

export const demoModels: ReadonlyArray<ModelConfig> = ["overlap-1", "overlap-2"].map((model) => ({
  id: `demo/${model}`,
  name: `Demo (word overlap), ${model}`,
  created: 1_795_000_000,
  categories: ["trivia"],
  card: {
    description:
      "Counts the words a question shares with the content. Fast, free and simple-minded."
  },
  endpoints: [
    { provider: "demo-bargain", model, price: { prompt: "0.00000002", completion: "0.00000004" } },
    { provider: "demo-steady", model, price: { prompt: "0.00000004", completion: "0.00000008" } },
    { provider: "demo-premium", model, price: { prompt: "0.0000001", completion: "0.0000002" } }
  ].map((endpoint) => ({ ...endpoint, data: { collects: false, trains: false, retains: false } }))
}))
