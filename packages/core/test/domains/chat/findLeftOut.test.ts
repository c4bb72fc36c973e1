/** Which messages are left out of a prompt that is too long. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { findLeftOut, type SaidItem, type Speaker } from "../../../src/domains/chat/findLeftOut.ts"

const speakers: Readonly<Record<string, Speaker>> = {
  s: "instruction",
  u: "user",
  m: "model",
  r: "result"
}

const toItems = (text: string): ReadonlyArray<SaidItem> =>
  Array.from(text, (letter) => ({ speaker: speakers[letter]!, tokens: 1 }))

describe("findLeftOut", () => {
  it.each<readonly [said: string, tokens: number, left: ReadonlyArray<number> | undefined]>([
    ["sumumu", 0, []],
    ["sumumu", 1, [3, 4]],
    ["sumumu", 3, [1, 2, 3, 4]],
    ["sumumu", 5, undefined],
    ["umumumu", 1, [2, 3]],
    ["umumumumu", 3, [2, 3, 4, 5]],
    ["su", 1, undefined],
    ["u", 1, undefined],
    // One task with many calls.
    ["summrrmrmrm", 1, [6, 7]],
    ["summrrmrmrm", 3, [2, 3, 4, 5, 6, 7]],
    ["umrmrmu", 1, [1, 2]],
    ["umrmrmu", 5, [0, 1, 2, 3, 4, 5]],
    ["usmu", 2, [0, 2]]
  ])("of %s, %s tokens less", (said, tokens, left) => {
    const found = findLeftOut(toItems(said), tokens)
    assert.deepStrictEqual(found && [...found], left)
  })

  it("keeps instructions, the last words, and calls with their results", () => {
    const items = fc.array(
      fc.record({
        speaker: fc.constantFrom<Speaker>("instruction", "model", "result", "user"),
        tokens: fc.integer({ min: 1, max: 9 })
      }),
      { maxLength: 24 }
    )
    fc.assert(
      fc.property(items, fc.integer({ min: -2, max: 80 }), (list, tokens) => {
        const left = findLeftOut(list, tokens)
        if (left === undefined) return
        const sum = [...left].reduce((total, at) => total + list[at]!.tokens, 0)
        assert.isAtLeast(sum, tokens)
        if (tokens <= 0) assert.strictEqual(left.size, 0)
        const said = list.map(({ speaker }, at) => ({ speaker, isLeft: left.has(at) }))
        for (const { isLeft, speaker } of said)
          if (speaker === "instruction") assert.isFalse(isLeft)
        assert.notStrictEqual(said.findLast(({ speaker }) => speaker === "user")?.isLeft, true)
        const others = said.filter(({ speaker }) => speaker !== "instruction")
        if (others.length > 0) assert.isFalse(others.at(-1)?.isLeft)
        for (const [at, { isLeft, speaker }] of others.entries()) {
          if (at > 0 && speaker === "result") assert.strictEqual(isLeft, others[at - 1]?.isLeft)
        }
      })
    )
  })
})
