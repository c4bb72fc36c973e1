/** Fits the effort of a request to the model that gets it. */
import type { RequestChanges } from "../RequestChanges.ts"
import { roundEffort } from "../reasoningFamily.ts"
import type { Json } from "./fields.ts"

/**
 * `known`: the efforts that the model takes; empty: it refuses requests that set an effort. The nearest of them is
 * sent. When it differs from the caller's, its path is added to `changes`.
 */
export const fitReasoning = (
  reasoning: Json,
  known: ReadonlyArray<string> | undefined,
  changes: RequestChanges | undefined
): Json => {
  const { effort, ...rest } = reasoning
  if (typeof effort !== "string" || known === undefined) return reasoning
  const fitted = known.length === 0 ? undefined : roundEffort(effort, known)
  if (fitted === effort) return reasoning
  changes?.add(["reasoning", "effort"])
  return fitted === undefined ? rest : { ...rest, effort: fitted }
}
