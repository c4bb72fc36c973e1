/** Fits the effort of a request to the model that gets it. */
import type { RequestChanges } from "../RequestChanges.ts"
import { roundEffort } from "../roundEffort.ts"
import type { Json } from "./fields.ts"

/**
 * `known`: the efforts that the model takes; empty: it refuses to be told. The effort that is sent is the nearest of them,
 * and its place is added to `changes` when it is another one.
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
