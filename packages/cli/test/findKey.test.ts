import * as Result from "effect/Result"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { findKey } from "../src/keys/findKey.ts"

const key = (hash: string, name: string) => ({ hash, name })
const keys = [
  key(`ab12${"0".repeat(60)}`, "ci"),
  key(`ab12${"1".repeat(60)}`, "nightly"),
  key(`cd34${"2".repeat(60)}`, "nightly"),
  key(`ef56${"3".repeat(60)}`, "cd34")
]

describe("the key of a name or hash", () => {
  test.each([
    ["ab120", 0],
    ["ci", 0],
    [keys[2]!.hash, 2],
    ["ef56", 3]
  ])("%s is one of them", (text, index) => {
    expect(findKey(keys, text)).toEqual(Result.succeed(keys[index]))
  })

  test.each([
    ["nightly", "may mean 2 keys"],
    ["ab12", "may mean 2 keys"],
    ["cd34", "may mean 2 keys"],
    ["ab1", "No key has"],
    ["", "No key has"],
    ["CI", "No key has"]
  ])("%s is none, or not a single one", (text, problem) => {
    expect(Result.getOrThrow(Result.flip(findKey(keys, text)))).toContain(problem)
  })

  test("is found by its whole hash, even if another key has it as its name", () => {
    const hash = fc.stringMatching(/^[0-9a-f]{8}$/)
    const some = fc.uniqueArray(fc.record({ hash, name: fc.oneof(hash, fc.string()) }), {
      minLength: 1,
      selector: (one) => one.hash
    })
    fc.assert(
      fc.property(some, (all) => {
        for (const one of all) expect(findKey(all, one.hash)).toEqual(Result.succeed(one))
      })
    )
  })
})
