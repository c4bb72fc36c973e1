import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { scaleRuns } from "../../../../../vitest.scope.ts"
import { listSecretEncodings } from "../../../src/engine/secrets/Redactor.ts"
import { redact } from "../../../src/engine/secrets/redact.ts"

const secret = "sk/customer+0000==?>\u00ff"

const encodings: ReadonlyArray<readonly [string, (text: string) => string]> = [
  ["plainly", (text) => text],
  ["in JSON", (text) => JSON.stringify(text).slice(1, -1)],
  ["in a URL", (text) => encodeURIComponent(text)],
  [
    "in a URL with lower-case escapes",
    (text) => encodeURIComponent(text).replaceAll(/%../g, (escape) => escape.toLowerCase())
  ],
  ["in a form", (text) => new URLSearchParams([["", text]]).toString().slice(1)],
  ["in hex", (text) => Buffer.from(text).toString("hex")],
  ["in upper-case hex", (text) => Buffer.from(text).toString("hex").toUpperCase()]
]

describe("listSecretEncodings", () => {
  it.each(encodings)("includes a secret %s", (_, spelt) => {
    const said = redact(`no: ${spelt(secret)}!`, [secret])
    assert.strictEqual(said, "no: [redacted]!")
  })

  it("includes a secret in base64, in any surroundings", () => {
    const around = fc.string({ maxLength: 9 })
    fc.assert(
      fc.property(
        fc.string({ minLength: 8, maxLength: 60, unit: "binary" }),
        around,
        around,
        fc.constantFrom("base64" as const, "base64url" as const),
        (key, before, after, encoding) => {
          const said = Buffer.from(before + key + after).toString(encoding)
          assert.include(redact(said, [key]), "[redacted]")
        }
      ),
      { numRuns: scaleRuns(2_000) }
    )
  })

  it("has only the plain text of a short secret", () => {
    assert.deepStrictEqual(["", "abc"].map(listSecretEncodings), [[], ["abc"]])
  })
})
