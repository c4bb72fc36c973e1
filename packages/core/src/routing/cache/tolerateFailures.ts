/** Goes on without what a request can do without. */
import * as Effect from "effect/Effect"

/** Warns once when calls begin to fail. They share that, so make it once. */
export const tolerateFailures = (warning: string) => {
  let isFailing = false
  return <A, B>(call: Effect.Effect<A, unknown>, otherwise: B): Effect.Effect<A | B> =>
    Effect.matchCauseEffect(call, {
      onSuccess: (value): Effect.Effect<A | B> => {
        isFailing = false
        return Effect.succeed(value)
      },
      onFailure: (cause) => {
        const isNew = !isFailing
        isFailing = true
        return Effect.as(isNew ? Effect.logWarning(warning, cause) : Effect.void, otherwise)
      }
    })
}
