/** Parameters parse leniently, encode for typed clients, and appear with their types in the OpenAPI document. */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { assert, describe, it } from "vitest"
import { findParameterRule } from "../../../src/api/contract/ParameterRule.ts"
import {
  booleanParameter,
  headerParameter,
  integerParameter,
  literalListParameter,
  textParameter,
  trueParameter
} from "../../../src/api/contract/queryParameters.ts"
import { makeOpenApiDocument } from "../../../src/api/reference/makeOpenApiDocument.ts"

const parse = ({ ast }: Schema.Top, ...values: ReadonlyArray<string>) =>
  Result.merge(findParameterRule(ast)!.parse(values))

const limit = integerParameter({ minimum: 1, maximum: 100, default: 50 })

describe("a parameter", () => {
  it.each([
    ["a missing value as the default", parse(limit), 50],
    ["blank values as the default", parse(limit, " ", ""), 50],
    ["a number in scientific notation", parse(limit, " 2e1 "), 20],
    ["equal repeated values", parse(limit, "7", "7"), 7],
    ["text, trimmed", parse(textParameter(), " a b "), "a b"],
    ["false", parse(booleanParameter(), "false"), false],
    [
      "a repeated comma-separated list",
      parse(literalListParameter(["a", "b"]), "a,,b", "a"),
      ["a", "b"]
    ],
    ["a missing value as undefined", parse(textParameter()), undefined]
  ])("parses %s", (_, read, expected) => assert.deepStrictEqual(read, expected))

  it.each([
    [
      "a number out of bounds",
      parse(limit, "101"),
      'must be a whole number from 1 to 100; got "101"'
    ],
    [
      "a number below an open range",
      parse(integerParameter({}), "-1"),
      'must be a whole number of 0 or more; got "-1"'
    ],
    ["different repeated values", parse(textParameter(), "a", "b"), "is given more than once"],
    [
      "false for a true-only parameter",
      parse(trueParameter(), "false"),
      'must be one of true; got "false"'
    ],
    [
      "an unknown list item",
      parse(literalListParameter(["a", "b"]), "a,c"),
      'must be a comma-separated list of a, b; got "c"'
    ],
    ["an empty header", parse(headerParameter({ maxLength: 3 }), ""), "must have 1 to 3 characters"]
  ])("describes the problem with %s", (_, read, expected) => assert.strictEqual(read, expected))

  it("encodes to text for typed clients", () => {
    const query = Schema.Struct({ limit, names: literalListParameter(["a", "b"]) })
    assert.deepStrictEqual(Schema.encodeSync(query)({ limit: 5, names: ["a", "b"] }), {
      limit: "5",
      names: "a,b"
    })
    assert.deepStrictEqual(Schema.decodeSync(query)({ limit: "5" }), { limit: 5 })
  })
})

describe("the OpenAPI document", () => {
  const { paths } = makeOpenApiDocument("")
  const keyOf = (path: string) =>
    Object.entries(paths[path]?.get ?? {}).find(([key]) => key === "x-required-key")?.[1]
  const schemaOf = (path: string, name: string) =>
    paths[path]?.get?.parameters.find((parameter) => parameter.name === name)?.schema

  it("has the type, bounds and default of a parameter", () => {
    assert.deepStrictEqual(schemaOf("/api/v1/interns", "limit"), {
      type: "integer",
      minimum: 1,
      maximum: 500,
      default: 100,
      description: "Number of items to return."
    })
    assert.deepInclude(schemaOf("/api/v1/models", "use_rss"), { type: "boolean" })
    assert.property(schemaOf("/api/v1/interns", "status"), "pattern")
  })

  it("names the key that an operation requires", () => {
    assert.strictEqual(keyOf("/api/v1/keys"), "management")
    assert.strictEqual(keyOf("/api/v1/signalbox/health"), "operator")
    assert.isUndefined(keyOf("/api/v1/key"))
  })
})
