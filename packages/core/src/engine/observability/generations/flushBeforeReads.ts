/** Makes reads of stores see every request that has ended. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { isSuccess } from "../../../values/eager.ts"
import { RollupStore } from "../rollups/RollupStore.ts"
import { GenerationStore } from "./GenerationStore.ts"

/** The same stores, whose reads call `flush` and wait for it. */
export const flushBeforeReads = (
  flush: () => Effect.Effect<void>,
  generations: GenerationStore["Service"],
  rollups: RollupStore["Service"]
): Context.Context<GenerationStore | RollupStore> => {
  const flushed = <A>(read: () => Effect.Effect<A>): Effect.Effect<A> =>
    Effect.suspend(() => {
      const flushing = flush()
      return isSuccess(flushing) ? read() : Effect.andThen(flushing, read)
    })
  return Context.make(GenerationStore, {
    record: (records) => generations.record(records),
    find: (account, id) => flushed(() => generations.find(account, id)),
    list: (filter, page) => flushed(() => generations.list(filter, page)),
    scan: (from, page) => flushed(() => generations.scan(from, page))
  }).pipe(
    Context.add(RollupStore, {
      add: (records) => rollups.add(records),
      list: (query) => flushed(() => rollups.list(query)),
      compact: () => rollups.compact(),
      purgeExpired: () => rollups.purgeExpired()
    })
  )
}
