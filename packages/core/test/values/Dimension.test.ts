import fc from "fast-check"
import { assert, describe, it } from "vitest"
import {
  dimensions,
  fromPairValue,
  getPairedTag,
  isPairDimension,
  isTagDimension,
  parseDimension,
  toPairPrefix,
  toPairValue
} from "../../src/values/Dimension.ts"
import { parseTag } from "../../src/values/Tags.ts"

describe("dimensions", () => {
  it.each([...dimensions, "tag:customer", "tag:__proto__", "workspace,model", "tag:a.b-c,model"])(
    "are read as they are written: %s",
    (name) => assert.strictEqual(parseDimension(name), name)
  )

  it.each([
    "",
    "colour",
    "tag:",
    "tag:a b",
    "tag:a:b",
    "model,workspace",
    "workspace,model,user",
    "provider,model",
    "workspace,",
    ",model",
    `tag:${"x".repeat(65)}`,
    "__proto__"
  ])("are nothing else: %s", (name) => assert.isUndefined(parseDimension(name)))

  it("tell tags and pairs apart", () => {
    const pair = parseDimension("tag:customer,model")
    assert.isTrue(pair !== undefined && isPairDimension(pair) && !isTagDimension(pair))
    assert.strictEqual(pair && isPairDimension(pair) ? getPairedTag(pair) : "", "customer")
    assert.isTrue(isTagDimension("tag:customer"))
  })
})

it("a pair is read as it was written, and begins with its first value and no other", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.string(), (first, model, other) => {
      const value = toPairValue(first, model)
      assert.deepStrictEqual(fromPairValue(value), [first, model])
      assert.strictEqual(value.startsWith(toPairPrefix(other)), other === first)
    })
  )
})

it.each([
  ["customer:acme", { key: "customer", value: "acme" }],
  ["a:b:c", { key: "a", value: "b:c" }],
  ["a: ", { key: "a", value: " " }],
  ["a:", undefined],
  [":a", undefined],
  ["a b:c", undefined],
  ["acme", undefined]
])("a tag is a name and a value: %s", (text, tag) => assert.deepStrictEqual(parseTag(text), tag))
