import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { parseArguments } from "../../../src/dialects/CalledTool.ts"
import { StreamedArguments } from "../../../src/dialects/chat/StreamedArguments.ts"
import { isObject } from "../../../src/values/json/guards.ts"

const json = fc.oneof(
  fc.json(),
  fc.dictionary(fc.string(), fc.jsonValue()).map((value) => JSON.stringify(value, null, 1)),
  fc.string({ unit: fc.constantFrom("{", "}", "[", "]", '"', "\\", ",", ":", "1", " ") })
)

describe("StreamedArguments", () => {
  it("are whole exactly when their text is an object, or nothing", () => {
    fc.assert(
      fc.property(json, json, fc.array(fc.nat(5)), fc.boolean(), (first, next, sizes, isAsked) => {
        const args = new StreamedArguments()
        let text = ""
        let left = first + next
        for (const size of [...sizes, first.length + next.length]) {
          const piece = left.slice(0, size)
          left = left.slice(size)
          text += piece
          args.add(piece)
          assert.strictEqual(args.text, text)
          const isWhole = isObject(parseArguments({ arguments: text }))
          // Asked after each piece, or only at the end.
          if (isAsked || left === "") assert.strictEqual(args.isWhole(), isWhole, text)
        }
      })
    )
  })
})
