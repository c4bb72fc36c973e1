import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { type JsonPath, parseJsonFile } from "../src/files/JsonFile.ts"

const listPaths = (value: unknown): ReadonlyArray<JsonPath> => [
  [],
  ...(typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([name, child]) =>
        listPaths(child).map((path) => [Array.isArray(value) ? Number(name) : name, ...path])
      )
    : [])
]

const findValue = (value: unknown, path: JsonPath): unknown =>
  path.reduce<unknown>((inside, name) => Object(inside)[name], value)

/** Without the indent, which is deeper inside of other values. */
const dense = (text: string): string => text.replaceAll(/\n\s*/g, "\n")

describe("the place of a value in a file of JSON", () => {
  test("is where the value is written", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 3 }), fc.nat(4), (json, indent) => {
        const value: unknown = JSON.parse(json)
        const text = JSON.stringify(value, null, indent)
        const file = parseJsonFile("x.json", text)
        for (const path of listPaths(value)) {
          const [line = 0, column = 0] = file.locate(path).split(":").slice(1).map(Number)
          const rest = text
            .split("\n")
            .slice(line - 1)
            .join("\n")
            .slice(column - 1)
          const inside = JSON.stringify(findValue(value, path), null, indent)
          expect(dense(rest).startsWith(dense(inside))).toBe(true)
        }
      })
    )
  })

  test("is that of what is around it, when it is not there", () => {
    const { locate } = parseJsonFile("x.json", '{\n  "a": [\n    {"b": 1}\n  ]\n}')
    expect(locate(["a", 0, "c", "d"])).toBe("x.json:3:5")
    expect(locate(["a", 7])).toBe("x.json:2:8")
    expect(locate(["z"])).toBe("x.json:1:1")
  })

  test("is that of the last field, where two have one name", () => {
    expect(parseJsonFile("x.json", '{"a": 1,\n"a": 2}').locate(["a"])).toBe("x.json:2:6")
  })
})

test.each([
  ['{\n  "a": 1,\n}', "x.json:3:1: this is no JSON."],
  ["[1 2]", "x.json:1:4: this is no JSON."],
  ['{"a":\n', "x.json:2:1: this is no JSON."],
  ["", "x.json:1:1: this is no JSON."]
])("of %j, the place of the mistake is told", (text, message) => {
  expect(() => parseJsonFile("x.json", text)).toThrow(message)
})
