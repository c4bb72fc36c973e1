/** Asks the name servers of this system, without its hosts file, which names neighbours. */
import type { Resolver } from "node:dns/promises"
import type { ResolveName } from "@signalbox/core/adapter"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

/** Waits `timeoutMillis` for an answer, twice for each name server; a close ends what still waits. */
export const systemDns = (timeoutMillis: number): Effect.Effect<ResolveName, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => makeLazyResolver(timeoutMillis)),
      ({ cancel }) => Effect.sync(cancel)
    ),
    ({ get }) =>
      (name, family) =>
        family === 4 ? get().resolve4(name) : get().resolve6(name)
  )

/** Loads the module with the first name. */
const makeLazyResolver = (timeoutMillis: number) => {
  let resolver: Resolver | undefined
  return {
    get: (): Resolver => {
      const { Resolver } = process.getBuiltinModule("node:dns/promises")
      return (resolver ??= new Resolver({ timeout: timeoutMillis, tries: 2 }))
    },
    cancel: () => resolver?.cancel()
  }
}
