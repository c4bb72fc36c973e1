/** Splits the inputs of a request where an endpoint takes fewer at once. */
import type {
  EmbeddingCapability,
  EmbeddingInput
} from "../../engine/upstreams/EmbeddingCapability.ts"

/** Parts of at most as many as the endpoint takes, in order; at least one. */
export const splitInputs = (
  inputs: ReadonlyArray<EmbeddingInput>,
  { maxInputs: most }: Pick<EmbeddingCapability, "maxInputs">,
  model: string
): ReadonlyArray<ReadonlyArray<EmbeddingInput>> => {
  const maxInputs = (typeof most === "function" ? most(model) : most) ?? Infinity
  if (inputs.length <= maxInputs) return [inputs]
  const parts: Array<ReadonlyArray<EmbeddingInput>> = []
  for (let at = 0; at < inputs.length; at += maxInputs) {
    parts.push(inputs.slice(at, at + maxInputs))
  }
  return parts
}
