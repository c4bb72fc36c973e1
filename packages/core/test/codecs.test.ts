import { isDeepStrictEqual } from "node:util"
import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { assert, describe, expect, test } from "vitest"
import * as stores from "../src/stores.ts"

const codecs = Object.entries(stores).flatMap(([name, value]) =>
  Schema.isSchema(value) && name.endsWith("Codec")
    ? // Every export named `…Codec` encodes to JSON, but their types have no common supertype.
      [[name, value as unknown as Schema.Codec<unknown, Schema.Json>] as const]
    : []
)

/** Excludes negative zero and, in fields of any type, values that JSON cannot represent. */
const isWritable = (value: unknown): boolean => {
  if (typeof value === "number") return !Object.is(value, -0)
  if (typeof value !== "object" || value === null) {
    return ["string", "boolean", "bigint"].includes(typeof value) || value === null
  }
  if (!Array.isArray(value) && Object.getPrototypeOf(value) !== Object.prototype) return false
  return Object.values(value).every(isWritable)
}

describe("every record survives a round trip through JSON text", () => {
  test.for(codecs)("%s", async ([, codec]) => {
    const encode = Schema.encodeSync(codec)
    const decode = Schema.decodeUnknownSync(codec)
    const result = await Effect.runPromise(
      Arbitrary.checkEffect(
        Arbitrary.filter(Arbitrary.schema(codec), isWritable),
        (record) => isDeepStrictEqual(decode(JSON.parse(JSON.stringify(encode(record)))), record),
        { runs: 100, maxDiscards: 100_000 }
      )
    )
    assert.strictEqual(result._tag, "Passed", JSON.stringify(result, withBigInts))
  })
})

const withBigInts = (_: string, value: unknown): unknown =>
  typeof value === "bigint" ? `${value}n` : value

test("every record of a store port has a codec", () => {
  expect(codecs.map(([name]) => name).toSorted()).toEqual([
    "accountCodec",
    "alertCodec",
    "alertRuleCodec",
    "apiKeyCodec",
    "assignmentCodec",
    "auditEntryCodec",
    "budgetCodec",
    "deadLetterCodec",
    "deliveryCodec",
    "experimentStateCodec",
    "fittedMapsCodec",
    "generationCodec",
    "guardrailCodec",
    "internCodec",
    "limitCodec",
    "memberCodec",
    "sealedCredentialCodec",
    "spendCodec",
    "storedSecretCodec",
    "storedWebhookCodec",
    "storedWebhookSecretCodec",
    "vaultCodec",
    "videoJobCodec",
    "workspaceCodec"
  ])
})

test("large amounts, infinite limits and keys such as __proto__ survive a round trip", () => {
  const cap = stores.NanoUsd.make(2n ** 61n - 1n)
  const limit: stores.Limit = {
    kind: "credits",
    id: "acme",
    interval: "lifetime",
    window: "lifetime",
    endsAt: Infinity,
    cap,
    countsByok: false
  }
  const encoded = Schema.encodeSync(stores.limitCodec)(limit)
  expect(encoded).toMatchObject({ cap: "2305843009213693951", endsAt: "Infinity" })
  expect(Schema.decodeUnknownSync(stores.limitCodec)(encoded)).toStrictEqual(limit)

  const entry: stores.AuditEntry = {
    id: "1",
    account: stores.defaultAccountId,
    at: 0,
    actor: {},
    action: "workspace.update",
    target: "w",
    after: JSON.parse('{"__proto__":{"x":1}}')
  }
  const written = JSON.stringify(Schema.encodeSync(stores.auditEntryCodec)(entry))
  const read = Schema.decodeUnknownSync(stores.auditEntryCodec)(JSON.parse(written))
  expect(JSON.stringify(read.after)).toBe('{"__proto__":{"x":1}}')
})

test("a record without a required field is rejected", () => {
  expect(() => Schema.decodeUnknownSync(stores.memberCodec)({ id: "1" })).toThrow("workspace_id")
})
