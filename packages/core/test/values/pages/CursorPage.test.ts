import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { type CursorRow, toCursorPage } from "../../../src/values/pages/CursorPage.ts"

/** Changes to a list after a page was read: the number of new rows, and the removed rows. */
const happening = fc.record({
  come: fc.nat(5),
  go: fc.array(fc.nat(200), { maxLength: 5 })
})

describe("CursorPage", () => {
  it("shows permanent rows once and in order, when others are added and removed between pages", () => {
    fc.assert(
      fc.property(
        fc.nat(60),
        fc.integer({ min: 1, max: 20 }),
        fc.array(happening, { minLength: 1, maxLength: 10 }),
        (size, limit, happenings) => {
          let list: ReadonlyArray<CursorRow<number>> = []
          let next = 0
          const come = (): void => {
            list = [{ cursor: next, row: next }, ...list]
            next += 1
          }
          for (let row = 0; row < size; row++) come()
          const gone = new Set<number>()
          const seen: Array<number> = []
          let after: number | undefined
          for (let pages = 0; pages === 0 || after !== undefined; pages++) {
            const page = toCursorPage(list, {
              limit,
              ...(after === undefined ? undefined : { after })
            })
            assert.isTrue(page.nextCursor === undefined || page.rows.length === limit)
            seen.push(...page.rows)
            assert.isAtMost(seen.length, size)
            after = page.nextCursor
            const { come: more, go } = happenings[pages % happenings.length]!
            for (let row = 0; row < more; row++) come()
            for (const row of go) gone.add(row)
            list = list.filter(({ row }) => !gone.has(row))
          }
          assert.deepStrictEqual(
            seen,
            seen.toSorted((one, other) => other - one)
          )
          assert.strictEqual(new Set(seen).size, seen.length)
          const stayed = Array.from({ length: size }, (_, row) => row).filter(
            (row) => !gone.has(row)
          )
          assert.includeMembers(seen, stayed)
          assert.isTrue(seen.every((row) => row < size))
        }
      )
    )
  })

  it("has no cursor on the last page", () => {
    const list = [3, 2, 1, 0].map((row) => ({ cursor: row, row }))
    assert.deepStrictEqual(toCursorPage(list, { limit: 2 }), { rows: [3, 2], nextCursor: 2 })
    assert.deepStrictEqual(toCursorPage(list, { limit: 2, after: 2 }), { rows: [1, 0] })
    assert.deepStrictEqual(toCursorPage(list, { limit: 2, after: 0 }), { rows: [] })
  })
})
