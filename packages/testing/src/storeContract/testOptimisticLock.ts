/** Tests the optimistic lock of a store: of concurrent writes to one version, one succeeds. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { assert, it } from "vitest"

interface OptimisticLockCase<Id, Row> {
  readonly store: {
    readonly add: (row: Row) => Effect.Effect<unknown, unknown>
    readonly find: (id: Id) => Effect.Effect<Row | undefined>
    readonly replace: (version: number, after: Row) => Effect.Effect<boolean, unknown>
  }
  /** The first version, not yet stored. */
  readonly before: Row
  readonly after: Row
}

export const testOptimisticLock = <Stores, Id, Row extends { readonly id: Id }>(
  run: (test: Effect.Effect<void, unknown, Stores | Scope.Scope>) => Promise<void>,
  trial: Effect.Effect<OptimisticLockCase<Id, Row>, never, Stores>
): void => {
  it("replaces a row only in the named version, and for one of several concurrent writers", () =>
    run(
      Effect.gen(function* () {
        const { after, before, store } = yield* trial
        assert.isFalse(yield* store.replace(1, after))
        yield* store.add(before)
        assert.isFalse(yield* store.replace(2, after))
        assert.deepStrictEqual(yield* store.find(before.id), before)
        const replaced = yield* Effect.forEach(
          Array.from({ length: 10 }),
          () => store.replace(1, after),
          { concurrency: "unbounded" }
        )
        assert.lengthOf(replaced.filter(Boolean), 1)
        assert.deepStrictEqual(yield* store.find(before.id), after)
      })
    ))
}
