/** Logs parameters that an endpoint is not sent, once for each endpoint and parameter. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Candidate } from "../Candidate.ts"

/** Callers choose the names, so memory for parameters and endpoints is bounded; beyond the bounds nothing is logged. */
const maxParameters = 32
const maxEndpoints = 4_096

/** Warns of dropped parameters. */
export class DroppedParameterWarner extends Context.Service<
  DroppedParameterWarner,
  {
    /** `ignored`: the parameters that no endpoint is sent. */
    readonly warn: (
      candidate: Candidate,
      parameters: ReadonlyArray<string>,
      ignored?: ReadonlyArray<string>
    ) => Effect.Effect<void>
  }
>()("@signalbox/core/routing/attempt/DroppedParameterWarner") {
  static readonly layer: Layer.Layer<DroppedParameterWarner> = Layer.sync(
    DroppedParameterWarner,
    () => {
      const warned = new Map<string, Set<string>>()
      return {
        warn: ({ endpoint }, parameters, ignored = []) =>
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
    }
  )
}
