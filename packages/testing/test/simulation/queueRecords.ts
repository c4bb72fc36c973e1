/**
 * Records wait in the memory of their process until the database takes them, except those of a transaction, which are part of it:
 * both as with `@signalbox/sql`.
 */
import { GenerationStore, type Stores } from "@signalbox/core/stores"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { CurrentSession } from "./Database.ts"
import type { Machine } from "./Machine.ts"

export const queueRecords = (
  machine: Machine,
  stores: Context.Context<Stores>
): Context.Context<Stores> => {
  const store = Context.get(stores, GenerationStore)
  const run = Effect.runForkWith(machine.services)
  return Context.add(stores, GenerationStore, {
    ...store,
    record: (generations) =>
      Effect.flatMap(CurrentSession, (session) => {
        if (session !== undefined) return store.record(generations)
        const write: Effect.Effect<void> = Effect.catchCause(store.record(generations), () =>
          Effect.andThen(Effect.sleep(retryMillis), write)
        )
        run(write)
        return Effect.void
      })
  })
}

const retryMillis = 1_000
