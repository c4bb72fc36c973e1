import { assert, describe, it } from "vitest"
import fc from "fast-check"
import * as Effect from "effect/Effect"
import * as Iterable from "effect/Iterable"
import { MemoryJournal } from "../src/MemoryJournal.ts"
import { memoryTable } from "../src/memoryTable.ts"
import { type Scrolled, scrolled } from "../src/values/Scroll.ts"

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
          const table = memoryTable<number, number>(journal)
          for (const { deletes, isUndone, sets } of all) {
            yield* Effect.gen(function* () {
              yield* table.edit((draft) => {
                for (const id of deletes) draft.delete(id)
                for (const id of sets) draft.set(id, id)
              })
              if (isUndone) return yield* Effect.fail("undone")
            }).pipe(journal.atomically, Effect.ignore)
          }
          const told: Array<number> = []
          let after: number | undefined = Infinity
          while (after !== undefined) {
            const { next, rows }: Scrolled<number> = scrolled(table.newest(after), { limit, after })
            assert.isAtMost(rows.length, limit)
            told.push(...rows)
            after = next
          }
          assert.deepStrictEqual(told, Array.from(table.rows.values()).toReversed())
        }).pipe(Effect.provide(MemoryJournal.layer), Effect.runPromise)
      ),
      { numRuns: 500 }
    ))

  it("were all looked at for each stretch, wherever it lay", () =>
    Effect.gen(function* () {
      const table = memoryTable<number, number>(yield* MemoryJournal)
      yield* table.edit((draft) => {
        for (let id = 0; id < 1_000; id++) draft.set(id, id)
      })
      const looked: Array<number> = []
      const seen = Iterable.map(table.newest(500), (placed) => {
        looked.push(placed.row)
        return placed
      })
      const stretch = scrolled(seen, { limit: 2, after: 500 })
      assert.deepStrictEqual(stretch, { rows: [499, 498], next: 498 })
      assert.deepStrictEqual(looked, [499, 498, 497])
    }).pipe(Effect.provide(MemoryJournal.layer), Effect.runPromise))
})
