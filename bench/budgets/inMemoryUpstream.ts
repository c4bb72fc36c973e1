/** An upstream that answers Decisions from memory, so that only Signalbox is measured. */
import type { DecisionReply, Upstream } from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"

export const reply: DecisionReply = {
  verdicts: new Map([
    ["urgent", { weights: [0.83, 0.17] }],
    ["topic", { weights: [0.78, 0.22, 0] }],
    ["mood", { weights: [0.2, 0.4, 0.4] }]
  ]),
  usage: { inputTokens: 120, outputTokens: 0 },
  method: "native"
}
const answered = Effect.succeed(reply)

export const inMemoryUpstream = (slug: string): Upstream => ({
  slug,
  name: slug,
  decisions: {
    decide: () => answered,
    estimateWorstCase: () => ({ inputTokens: 400, outputTokens: 0 })
  }
})
