import { assert, describe, it } from "vitest"
import * as fc from "fast-check"
import { makeRedactor } from "../../../src/engine/secrets/Redactor.ts"
import { makeStreamRedactor } from "../../../src/engine/secrets/StreamRedactor.ts"

/** Characters of the secrets, and those that JSON escapes. */
const unit = fc.constantFrom(
  ...'sk-pl/\\"uU0b:, \n\té'.split(""),
  "\\u0073",
  "\\u00",
  "sk-p",
  "k-pl",
  "\\\\"
)
const value = fc.array(unit, { maxLength: 8 }).map((units) => units.join(""))
const json = fc.dictionary(value, fc.oneof(value, fc.array(value), fc.dictionary(value, value)))

/** JSON in which some characters are escaped by their code, and names may be followed by a space. */
const text = fc.tuple(json, fc.infiniteStream(fc.nat({ max: 9 }))).map(([object, dice]) => {
  const roll = (): number => dice.next().value
  return JSON.stringify(object, null, roll() < 3 ? 1 : undefined)
    .replaceAll(/\\.|[^\\]/g, (each) => {
      if (each.length > 1 || /["{}[\]:,\s]/.test(each) || roll() > 0) return each
      return `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`
    })
    .replaceAll('":', roll() < 3 ? '" :' : '":')
})

const secrets = fc.constantFrom(
  "sk-planted",
  "sk/planted",
  's"k-planted',
  "plu0sk--pl",
  "s\\kp-lanted"
)

describe("hasPossibleSecretInJson", () => {
  it("is true for all JSON that redaction changes, holds back or remembers", () => {
    let harmless = 0
    fc.assert(
      fc.property(secrets, text, (secret, data) => {
        const redactor = makeRedactor([secret])
        if (redactor.hasPossibleSecretInJson(data)) return
        harmless++
        assert.strictEqual(redactor.redactJson(data), data)
        const stream = makeStreamRedactor<object>(redactor)
        const event: object = JSON.parse(data)
        assert.deepStrictEqual(stream.push(event), [event])
        assert.deepStrictEqual(event, JSON.parse(data))
        assert.isFalse(stream.isContinuedBy(event))
      }),
      { numRuns: 5_000 }
    )
    assert.isAbove(harmless, 100)
  })

  it("is all that matters of an event that continues no text", () => {
    let skipped = 0
    fc.assert(
      fc.property(secrets, text, text, text, (secret, first, data, last) => {
        const redactor = makeRedactor([secret])
        const event: object = JSON.parse(data)
        const read = (reads: ReadonlyArray<string>) => {
          const stream = makeStreamRedactor<object>(redactor)
          return reads.map((each) => stream.push(JSON.parse(each)))
        }
        const stream = makeStreamRedactor<object>(redactor)
        stream.push(JSON.parse(first))
        if (redactor.hasPossibleSecretInJson(data) || stream.isContinuedBy(event)) return
        if (first !== "{}" && redactor.hasPossibleSecretInJson(first)) skipped++
        const [before, after] = read([first, last])
        assert.deepStrictEqual(read([first, data, last]), [before, [event], after])
      }),
      { numRuns: 5_000 }
    )
    assert.isAbove(skipped, 20)
  })

  it("is false for ordinary events", () => {
    const redactor = makeRedactor(["sk-planted-secret"])
    for (const content of [" lighthouse", "line\nbreak", 'a "quoted" word', "π and é", "is", ""]) {
      const event = { id: "chatcmpl-1", choices: [{ index: 0, delta: { content } }] }
      assert.strictEqual(redactor.hasPossibleSecretInJson(JSON.stringify(event)), content === "is")
    }
  })
})
