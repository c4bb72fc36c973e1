import * as FastCheck from "fast-check"
import { describe, expect, it } from "vitest"
import { listChanges } from "../../app/pages/keys/listChanges.ts"

const state = FastCheck.oneof(
  FastCheck.constant(null),
  FastCheck.dictionary(
    FastCheck.oneof(
      FastCheck.constantFrom("name", "limit", "updated_at", "__proto__"),
      FastCheck.string()
    ),
    FastCheck.oneof(FastCheck.constantFrom(null, 1, "1", ""), FastCheck.jsonValue({ maxDepth: 1 })),
    { noNullPrototype: true }
  )
)

const flip = ({ after, before, field }: ReturnType<typeof listChanges>[number]) => ({
  field,
  before: after,
  after: before
})
const byField = (one: { readonly field: string }, that: { readonly field: string }): number =>
  one.field < that.field ? -1 : 1

describe("the changes of a record", () => {
  it("are the fields that differ, as JSON, without the time of the change", () => {
    expect(
      listChanges(
        { name: "a", limit: null, tags: [1], updated_at: "2026-11-01" },
        { name: "b", limit: null, tags: [1, 2], updated_at: "2026-11-02" }
      )
    ).toEqual([
      { field: "name", before: `"a"`, after: `"b"` },
      { field: "tags", before: "[1]", after: "[1,2]" }
    ])
  })

  it("are all fields of a record that is created or deleted", () => {
    const record = { name: "a", limit: null }
    const created = [
      { field: "name", before: undefined, after: `"a"` },
      { field: "limit", before: undefined, after: "null" }
    ]
    for (const none of [null, undefined]) {
      expect(listChanges(none, record)).toEqual(created)
      expect(listChanges(record, none)).toEqual(created.map(flip))
    }
  })

  it("of what is no record are its value", () => {
    expect(listChanges(1, 2)).toEqual([{ field: "value", before: "1", after: "2" }])
    expect(listChanges("a", "a")).toEqual([])
  })

  it("are none between a record and its copy", () =>
    FastCheck.assert(
      FastCheck.property(state, (record) => {
        expect(listChanges(record, structuredClone(record))).toEqual([])
      })
    ))

  it("turn one state into the other, and are the same backwards", () =>
    FastCheck.assert(
      FastCheck.property(state, state, (before, after) => {
        const changes = listChanges(before, after)
        const patched = new Map(
          Object.entries(before ?? {}).map(([field, value]) => [field, JSON.stringify(value)])
        )
        for (const change of changes) {
          expect(change.before).toBe(patched.get(change.field))
          if (change.after === undefined) patched.delete(change.field)
          else patched.set(change.field, change.after)
        }
        const wanted = new Map(
          Object.entries(after ?? {}).map(([field, value]) => [field, JSON.stringify(value)])
        )
        patched.delete("updated_at")
        wanted.delete("updated_at")
        expect(patched).toEqual(wanted)
        expect(listChanges(after, before).toSorted(byField)).toEqual(
          changes.map(flip).toSorted(byField)
        )
      })
    ))
})
