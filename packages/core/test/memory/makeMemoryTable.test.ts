import { assert, describe, it } from "vitest"
import fc from "fast-check"
import * as Effect from "effect/Effect"
import * as Iterable from "effect/Iterable"
import { scaleRuns } from "../../../../vitest.scope.ts"
import { MemoryJournal } from "../../src/memory/MemoryJournal.ts"
import { makeMemoryTable } from "../../src/memory/makeMemoryTable.ts"
import { type CursorPage, toCursorPage } from "../../src/values/pages/CursorPage.ts"

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

describe("the rows of a memory table", () => {
  it("are paged in insertion order across deletions and rollbacks", () =>
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
          const paged: Array<number> = []
          let after: number | undefined = Infinity
          while (after !== undefined) {
            const { nextCursor, rows }: CursorPage<number> = toCursorPage(
              table.newestFirst(after),
              { limit, after }
            )
            assert.isAtMost(rows.length, limit)
            paged.push(...rows)
            after = nextCursor
          }
          assert.deepStrictEqual(paged, Array.from(table.rows.values()).toReversed())
        }).pipe(Effect.provide(MemoryJournal.layer), Effect.runPromise)
      ),
      { numRuns: scaleRuns(500) }
    ))

  it("are read only as far as a page needs", () =>
    Effect.gen(function* () {
      const table = makeMemoryTable<number, number>(yield* MemoryJournal)
      yield* table.edit((draft) => {
        for (let id = 0; id < 1_000; id++) draft.set(id, id)
      })
      const visited: Array<number> = []
      const entries = Iterable.map(table.newestFirst(500), (entry) => {
        visited.push(entry.row)
        return entry
      })
      const page = toCursorPage(entries, { limit: 2, after: 500 })
      assert.deepStrictEqual(page, { rows: [499, 498], nextCursor: 498 })
      assert.deepStrictEqual(visited, [499, 498, 497])
    }).pipe(Effect.provide(MemoryJournal.layer), Effect.runPromise))
})
