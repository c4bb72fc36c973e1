import { assert, describe, it } from "vitest"
import fc from "fast-check"
import * as Effect from "effect/Effect"
import * as Iterable from "effect/Iterable"
import { scaleRuns } from "../../../vitest.scope.ts"
import { MemoryJournal } from "../src/MemoryJournal.ts"
import { makeMemoryTable } from "../src/makeMemoryTable.ts"
import { type CursorPage, toCursorPage } from "../src/values/pages/CursorPage.ts"

interface Step {
  readonly sets: ReadonlyArray<number>
  readonly deletes: ReadonlyArray<number>
  readonly isUndone: boolean
}

const ids = fc.array(fc.nat(12), { maxLength: 6 })
const steps: fc.Arbitrary<ReadonlyArray<Step>> = fc.array(
  fc.record({ sets: ids, deletes: ids, isUndone: fc.boolean() }),
  { maxLength: 30 }
)

describe("the rows of a store in memory", () => {
  it("are told stretch by stretch as they came, whatever went and was put back", () =>
    fc.assert(
      fc.asyncProperty(steps, fc.integer({ min: 1, max: 4 }), (all, limit) =>
        Effect.gen(function* () {
          const journal = yield* MemoryJournal
          const table = makeMemoryTable<number, number>(journal)
          for (const { deletes, isUndone, sets } of all) {
            yield* Effect.gen(function* () {
              yield* table.edit((draft) => {
                for (const id of deletes) draft.delete(id)
                for (const id of sets) draft.set(id, id)
              })
              if (isUndone) return yield* Effect.fail("undone")
            }).pipe(journal.withTransaction, Effect.ignore)
          }
          const told: Array<number> = []
          let after: number | undefined = Infinity
          while (after !== undefined) {
            const { nextCursor, rows }: CursorPage<number> = toCursorPage(
              table.newestFirst(after),
              { limit, after }
            )
            assert.isAtMost(rows.length, limit)
            told.push(...rows)
            after = nextCursor
          }
          assert.deepStrictEqual(told, Array.from(table.rows.values()).toReversed())
        }).pipe(Effect.provide(MemoryJournal.layer), Effect.runPromise)
      ),
      { numRuns: scaleRuns(500) }
    ))

  it("were all looked at for each stretch, wherever it lay", () =>
    Effect.gen(function* () {
      const table = makeMemoryTable<number, number>(yield* MemoryJournal)
      yield* table.edit((draft) => {
        for (let id = 0; id < 1_000; id++) draft.set(id, id)
      })
      const looked: Array<number> = []
      const seen = Iterable.map(table.newestFirst(500), (placed) => {
        looked.push(placed.row)
        return placed
      })
      const stretch = toCursorPage(seen, { limit: 2, after: 500 })
      assert.deepStrictEqual(stretch, { rows: [499, 498], nextCursor: 498 })
      assert.deepStrictEqual(looked, [499, 498, 497])
    }).pipe(Effect.provide(MemoryJournal.layer), Effect.runPromise))
})
