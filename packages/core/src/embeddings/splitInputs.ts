/** Splits the inputs of a request where an endpoint takes fewer at once. */
import type { EmbeddingInput } from "../upstreams/EmbeddingCapability.ts"

/** Parts of at most `maxInputs`, in order. */
export const splitInputs = (
  inputs: ReadonlyArray<EmbeddingInput>,
  maxInputs = Infinity
): ReadonlyArray<ReadonlyArray<EmbeddingInput>> => {
  if (inputs.length <= maxInputs) return [inputs]
  const parts: Array<ReadonlyArray<EmbeddingInput>> = []
  for (let at = 0; at < inputs.length; at += maxInputs) {
    parts.push(inputs.slice(at, at + maxInputs))
  }
  return parts
}
