import fc from "fast-check"
import { assert, describe, it } from "vitest"
import { JsonScanner } from "../../../src/values/json/JsonScanner.ts"

const encoder = new TextEncoder()

interface Counts {
  containers: number
  keys: number
  deepest: number
}

const count = (
  value: unknown,
  depth = 1,
  counts: Counts = { containers: 0, keys: 0, deepest: 0 }
) => {
  if (typeof value !== "object" || value === null) return counts
  counts.containers++
  counts.deepest = Math.max(counts.deepest, depth)
  if (!Array.isArray(value)) counts.keys += Object.keys(value).length
  for (const child of Object.values(value)) count(child, depth + 1, counts)
  return counts
}

const scan = (
  bytes: Uint8Array,
  cuts: ReadonlyArray<number> = [],
  names?: ReadonlyArray<string>
) => {
  const scanner = new JsonScanner(names)
  const places = [0, ...cuts.toSorted((one, other) => one - other), bytes.length]
  for (let i = 1; i < places.length; i++) scanner.push(bytes.subarray(places[i - 1], places[i]))
  return scanner
}

/** Every JSON escape of a character. */
const written = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.stringMatching(/^[[\]{}:,"\\eE+0-9]{0,12}$/),
  fc.constantFrom("\\", '"', '\\"', "image_url", "😀", "\u2028")
)
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    written,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(null, true, false),
    fc.array(tie("value")),
    fc.dictionary(written, tie("value"))
  )
})).value

/** Escapes some characters unnecessarily. */
const escapeCharacters = (text: string, isEscaped: (position: number) => boolean): string => {
  let inString = false
  return Array.from(text, (character, place) => {
    if (character === '"' && text[place - 1] !== "\\") inString = !inString
    return inString && /[a-z]/.test(character) && text[place - 1] !== "\\" && isEscaped(place)
      ? `\\u00${character.charCodeAt(0).toString(16)}`
      : character
  }).join("")
}

describe("JsonScanner", () => {
  it("counts the values that JSON.parse returns, however the text is split", () => {
    fc.assert(
      fc.property(
        json,
        fc.constantFrom(undefined, 1, "\t"),
        fc.array(fc.nat()),
        (value, indent, cuts) => {
          const text = JSON.stringify(value, null, indent)
          const bytes = encoder.encode(text)
          const scanner = scan(
            bytes,
            cuts.map((cut) => cut % (bytes.length + 1))
          )
          const { containers, maxDepth, keys } = scanner
          assert.deepStrictEqual<Counts>(
            { containers, keys, deepest: maxDepth },
            count(JSON.parse(text))
          )
          assert.strictEqual(scanner.bytes, bytes.length)
          assert.strictEqual(scanner.nodes, containers + keys)
        }
      )
    )
  })

  it("counts the same byte by byte as in one piece", () => {
    fc.assert(
      fc.property(json, (value) => {
        const bytes = encoder.encode(JSON.stringify(value))
        const one = scan(bytes)
        const each = scan(bytes, Array.from(bytes.keys()))
        const { bytes: _, containers, maxDepth, keys, mayOverflow, hasName } = one
        assert.deepInclude(each, { containers, maxDepth, keys, mayOverflow, hasName })
      })
    )
  })

  it("counts no less than a parser for truncated text", () => {
    fc.assert(
      fc.property(json, fc.nat(), (value, cut) => {
        const bytes = encoder.encode(JSON.stringify(value))
        const whole = scan(bytes)
        const part = scan(bytes.subarray(0, cut % (bytes.length + 1)))
        assert.isAtMost(part.nodes, whole.nodes)
        assert.isAtMost(part.maxDepth, whole.maxDepth)
      })
    )
  })

  it.each([
    ["[1,2,3]", 1, 0, 1],
    ['"[{\\"a\\":1}]"', 0, 0, 0],
    ['{"a":{"a":[[]]}}', 4, 2, 4],
    ['{"\\\\":[],"\\"":[]}', 3, 2, 2],
    ['["\\\\\\\\",[]]', 2, 0, 2],
    ['{"a":1,"a":2}', 1, 2, 1]
  ])("counts %s", (text, containers, keys, maxDepth) => {
    const scanner = scan(encoder.encode(text))
    assert.deepInclude(scanner, { containers, keys, maxDepth })
  })

  it("finds a key anywhere, however it is escaped", () => {
    fc.assert(
      fc.property(json, fc.array(fc.nat()), fc.func(fc.boolean()), (value, cuts, isEscaped) => {
        const holds = (part: unknown): boolean =>
          part === "image_url" ||
          (typeof part === "object" &&
            part !== null &&
            (Object.values(part).some(holds) ||
              (!Array.isArray(part) && Object.keys(part).includes("image_url"))))
        const bytes = encoder.encode(
          escapeCharacters(JSON.stringify(value), (place) => isEscaped(place))
        )
        const places = cuts.map((cut) => cut % (bytes.length + 1))
        assert.strictEqual(scan(bytes, places, ["image_url", "files"]).hasName, holds(value))
      })
    )
  })

  it("reports when a number may exceed a double", () => {
    const huge = fc.integer({ min: 309, max: 999 }).map((exponent) => `1e${exponent}`)
    const long = fc.integer({ min: 310, max: 400 }).map((digits) => "9".repeat(digits))
    const small = fc
      .double({ noNaN: true, noDefaultInfinity: true })
      .map((value) => JSON.stringify(value))
    fc.assert(
      fc.property(fc.array(fc.oneof(huge, long, small)), fc.array(fc.nat()), (numbers, cuts) => {
        const text = `[${numbers.join(",")}]`
        const bytes = encoder.encode(text)
        const { mayOverflow } = scan(
          bytes,
          cuts.map((cut) => cut % (bytes.length + 1))
        )
        const overflows = (JSON.parse(text) as ReadonlyArray<number>).some(
          (each) => !Number.isFinite(each)
        )
        assert.isTrue(mayOverflow || !overflows)
      })
    )
    for (const text of ["[1e+308]", "[1E999]", "[-1e0400]"]) {
      assert.isTrue(scan(encoder.encode(text)).mayOverflow, text)
    }
    for (const text of ["[1e-999]", "[true,123]", '["1e999"]', "[1.7976931348623157e22]"]) {
      assert.isFalse(scan(encoder.encode(text)).mayOverflow, text)
    }
  })
})
