import { assert, describe, it } from "@effect/vitest"
import { parameterLists } from "../src/index.ts"

describe("parameterLists", () => {
  it.each(Object.entries(parameterLists))("%s is in order and has no duplicates", (_, list) => {
    assert.deepStrictEqual(list, Array.from(new Set(list)).toSorted())
  })
})
