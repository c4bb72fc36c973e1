/** Asks the name servers of this system, without its hosts file, which names neighbours. */
import { Resolver } from "node:dns/promises"
import type { ResolveName } from "@signalbox/core/adapter"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

/** Waits `timeoutMillis` for an answer, twice for each name server; a close ends what still waits. */
export const systemDns = (timeoutMillis: number): Effect.Effect<ResolveName, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => new Resolver({ timeout: timeoutMillis, tries: 2 })),
      (resolver) => Effect.sync(() => resolver.cancel())
    ),
    (resolver) => (name, family) =>
      family === 4 ? resolver.resolve4(name) : resolver.resolve6(name)
  )
