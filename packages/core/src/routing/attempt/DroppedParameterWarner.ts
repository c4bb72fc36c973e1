/** Warns of parameters that endpoints are not sent, once for each endpoint and parameter. */
import * as Effect from "effect/Effect"
import type { Candidate } from "../Candidate.ts"

/** Callers choose the names, so what is remembered of an endpoint is bounded, and so are the endpoints. */
const maxParameters = 32
const maxEndpoints = 4_096

/** Beyond the bounds nothing is logged; records and routing metadata tell of it all the same. */
export const makeDroppedParameterWarner = () => {
  const warned = new Map<string, Set<string>>()

  return (
    { endpoint }: Candidate,
    parameters: ReadonlyArray<string>,
    ignored: ReadonlyArray<string> = []
  ): Effect.Effect<void> =>
    Effect.suspend(() => {
      const known = warned.get(endpoint.id) ?? new Set()
      if (known.size === 0) {
        if (warned.size >= maxEndpoints) return Effect.void
        warned.set(endpoint.id, known)
      }
      const fresh = parameters
        .filter((name) => !known.has(name))
        .slice(0, maxParameters - known.size)
      for (const name of fresh) known.add(name)
      return Effect.forEach(
        fresh,
        (name) =>
          Effect.logWarning(
            `"${endpoint.id}" is not sent ${JSON.stringify(name.slice(0, 64))}: ${ignored.includes(name) ? "nothing here does what it asks for" : "its supportedParameters do not list it"}`
          ),
        { discard: true }
      )
    })
}
