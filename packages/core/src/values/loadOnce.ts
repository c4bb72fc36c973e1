/** Loads something at its first use. */
import * as Effect from "effect/Effect"

/**
 * The first use runs `load`, which continues when the fiber that began it is interrupted. Uses meanwhile wait for the
 * same run, and later ones have the value at hand. Dies when `load` rejects; the next use then tries again.
 */
export const loadOnce = <A>(load: () => Promise<A>): (() => Effect.Effect<A>) => {
  let loaded: Effect.Effect<A> | undefined
  let loading: Promise<A> | undefined
  const run = async (): Promise<A> => {
    try {
      const value = await load()
      loaded = Effect.succeed(value)
      return value
    } finally {
      loading = undefined
    }
  }
  return () => loaded ?? Effect.promise(() => (loading ??= run()))
}
