/** Logs parameters that an endpoint is not sent, once for each endpoint and parameter. */
import * as Effect from "effect/Effect"
import type { Candidate } from "../Candidate.ts"
import type { Requirements } from "../Requirements.ts"
import { reasoningDetails } from "../plan/findDroppedParameters.ts"

/** Callers choose the names, so memory for parameters and endpoints is bounded; beyond the bounds nothing is logged. */
const maxParameters = 32
const maxEndpoints = 4_096

export const makeDroppedParameterWarner = () => {
  const warned = new Map<string, Set<string>>()
  return (
    { endpoint }: Candidate,
    parameters: ReadonlyArray<string>,
    { ignoredParameters = [], nativeFields }: Requirements
  ): Effect.Effect<void> => {
    const known = warned.get(endpoint.id) ?? new Set()
    if (known.size === 0) {
      if (warned.size >= maxEndpoints) return Effect.void
      warned.set(endpoint.id, known)
    }
    const fresh = parameters.filter((name) => !known.has(name)).slice(0, maxParameters - known.size)
    if (fresh.length === 0) return Effect.void
    for (const name of fresh) known.add(name)
    return Effect.forEach(
      fresh,
      (name) => {
        const reason = ignoredParameters.includes(name)
          ? "the router does not implement it"
          : nativeFields?.names.includes(name) === true
            ? `its API is another, and only that of "${nativeFields.dialect}" has the field`
            : name === reasoningDetails
              ? "it reads only the reasoning of its own provider"
              : "its supportedParameters do not list it"
        return Effect.logWarning(
          `"${endpoint.id}" is not sent ${JSON.stringify(name.slice(0, 64))}: ${reason}`
        )
      },
      { discard: true }
    )
  }
}
