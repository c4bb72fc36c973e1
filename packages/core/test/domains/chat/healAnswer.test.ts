import * as fc from "fast-check"
import { expect, test } from "vitest"
import { repairJson } from "../../../src/domains/chat/healAnswer.ts"

const cases: ReadonlyArray<readonly [what: string, text: string, json: unknown]> = [
  ["a fence", '```json\n{"a": 1}\n```', { a: 1 }],
  ["prose around", 'Here it is: {"a": [1, 2]} - as asked.', { a: [1, 2] }],
  ["a trailing comma", '{"a": [1, 2,], "b": 2,}', { a: [1, 2], b: 2 }],
  ["a bare key", "{a: 1, b-c: true}", { a: 1, "b-c": true }],
  ["single quotes", "{'a': 'it''s'}", { a: "it''s" }],
  ["missing brackets", '{"a": [1, {"b": "c', { a: [1, { b: "c" }] }],
  ["words of Python", '{"a": True, "b": None}', { a: true, b: null }],
  ["comments", '{"a": 1, // one\n /* two */ "b": 2}', { a: 1, b: 2 }],
  ["a quote within", '{"a": "say "hi" now"}', { a: 'say "hi" now' }],
  ["a line break in a text", '{"a": "x\ny"}', { a: "x\ny" }],
  ["a key that objects have", '{"__proto__": 1,}', JSON.parse('{"__proto__": 1}')]
]

test.each(cases)("repairs %s", (_, text, json) => {
  expect(JSON.parse(repairJson(text) ?? "undefined")).toEqual(json)
})

test.each(['{"a": 1}', "[]", '"text"', "no json at all", "", "{nothing here}", "[".repeat(1_000)])(
  "leaves %s",
  (text) => {
    expect(repairJson(text)).toBeUndefined()
  }
)

test("what is JSON within a fence keeps its value", () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue())),
      (value) => {
        const json = JSON.stringify(value)
        const repaired = repairJson(`Sure:\n\`\`\`json\n${json}\n\`\`\``)
        expect(JSON.parse(repaired ?? "undefined")).toEqual(JSON.parse(json))
      }
    )
  )
})

test("any text ends", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(...Array.from("{}[]\"':,/*\\ \nab1")) }),
      (text) => {
        const repaired = repairJson(text)
        expect(() => JSON.parse(repaired ?? "null")).not.toThrow()
      }
    )
  )
})
