/** An embedding upstream without key and network: short vectors of the lengths of words. */
import type { EmbeddingCall, EmbeddingCapability } from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"
import { type Pace, waitForFirstToken } from "./Pace.ts"

export const pacedEmbeddings = (pace: Pace): EmbeddingCapability => ({
  embed: (call) =>
    Effect.as(waitForFirstToken(pace), {
      vectors: call.inputs.map((input, index) => ({ index, vector: toVector(input) })),
      usage: { inputTokens: countTokens(call), outputTokens: 0 }
    }),
  ignoresCredentials: true,
  estimateWorstCase: (call) => ({ inputTokens: 4 * countTokens(call), outputTokens: 0 })
})

const toVector = (input: unknown): ReadonlyArray<number> => {
  const lengths = JSON.stringify(input)
    .split(/\s+/)
    .map((word) => word.length)
  return Array.from({ length: 8 }, (_, index) => (lengths[index] ?? 0) / 16)
}

/** The usual estimate of four bytes a token. */
const countTokens = ({ inputs }: EmbeddingCall): number =>
  Math.ceil(JSON.stringify(inputs).length / 4)
