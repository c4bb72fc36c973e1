import { assert, describe, it } from "@effect/vitest"
import { rememberModels } from "../../src/dialects/rememberModels.ts"

describe("rememberModels", () => {
  it("looks up each name once", () => {
    const asked: Array<string> = []
    const find = rememberModels((name) => {
      asked.push(name)
      return { name }
    })
    for (const name of ["one", "__proto__", "one", "__proto__"]) {
      assert.deepStrictEqual(find(name), { name })
    }
    assert.deepStrictEqual(asked, ["one", "__proto__"])
  })

  it("forgets names beyond its bound, and finds them again", () => {
    let lookups = 0
    const find = rememberModels((name) => ({ name, lookup: ++lookups }))
    for (let each = 0; each <= 1_000; each++) find(`model-${each}`)
    assert.strictEqual(find("model-1000").lookup, 1_001)
    assert.deepStrictEqual(find("model-0"), { name: "model-0", lookup: 1_002 })
  })
})
