import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { diffCatalogs, type FieldChange, isSame } from "../../src/models/diffCatalogs.ts"

const id = fc.constantFrom("a/b", "a/c", "b/b", "__proto__/x")
const field = fc.constantFrom("pricing.prompt", "context_length", "parameters.tools")
const value = fc.constantFrom("0", "1", "none")
const model = fc.array(fc.tuple(field, value)).map((fields) => new Map(fields))
const catalog = fc.array(fc.tuple(id, model)).map((models) => new Map(models))

/** The catalog that the differences make of another one. */
const apply = (
  before: ReadonlyMap<string, ReadonlyMap<string, string>>,
  { added, changed, removed }: ReturnType<typeof diffCatalogs>,
  after: ReadonlyMap<string, ReadonlyMap<string, string>>
) => {
  const models = new Map(before)
  for (const model of removed) models.delete(model)
  for (const model of added) models.set(model, after.get(model) ?? new Map())
  for (const { changes, model } of changed) {
    const fields = new Map(models.get(model))
    for (const { after: now, field: name } of changes) {
      if (now === undefined) fields.delete(name)
      else fields.set(name, now)
    }
    models.set(model, fields)
  }
  return models
}

const swap = ({ after, before, field: name }: FieldChange): FieldChange => ({
  field: name,
  ...(after === undefined ? undefined : { before: after }),
  ...(before === undefined ? undefined : { after: before })
})

describe("the differences of two catalogs", () => {
  test("are none between a catalog and itself", () => {
    fc.assert(
      fc.property(catalog, (models) => {
        const diff = diffCatalogs(models, new Map(models))
        expect([isSame(diff), diff.same]).toEqual([true, models.size])
      })
    )
  })

  test("turn the first catalog into the second", () => {
    fc.assert(
      fc.property(catalog, catalog, (before, after) => {
        const diff = diffCatalogs(before, after)
        expect(apply(before, diff, after)).toEqual(after)
        expect(diff.same + diff.changed.length + diff.added.length).toBe(after.size)
      })
    )
  })

  test("are the other way round when the catalogs are", () => {
    fc.assert(
      fc.property(catalog, catalog, (before, after) => {
        const { added, changed, removed, same } = diffCatalogs(before, after)
        expect(diffCatalogs(after, before)).toEqual({
          added: removed,
          removed: added,
          changed: changed.map(({ changes, model: name }) => ({
            model: name,
            changes: changes.map(swap)
          })),
          same
        })
      })
    )
  })

  test("name a removed endpoint once, without its fields", () => {
    const before = new Map([
      [
        "a/b",
        new Map([
          ["endpoints.x.eu/1", "there"],
          ["endpoints.x.eu/1.pricing.prompt", "1"],
          ["endpoints.y", "there"],
          ["endpoints.y.pricing.prompt", "1"]
        ])
      ]
    ])
    const after = new Map([
      [
        "a/b",
        new Map([
          ["endpoints.y", "there"],
          ["endpoints.y.pricing.prompt", "2"]
        ])
      ]
    ])
    expect(diffCatalogs(before, after).changed).toEqual([
      {
        model: "a/b",
        changes: [
          { field: "endpoints.x.eu/1", before: "there" },
          { field: "endpoints.y.pricing.prompt", before: "1", after: "2" }
        ]
      }
    ])
  })
})
