import { format, inspect } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { CredentialPatch, NewCredential } from "../../../src/tenants/byok/Credential.ts"
import { toInvalidRequest } from "../../../src/values/errors/toInvalidRequest.ts"

const secret = "sk-a-secret-of-somebody"

/** All log formats of a message. */
const logged = Effect.fnUntraced(function* (message: unknown) {
  const lines: Array<string> = []
  const loggers = [
    Logger.formatSimple,
    Logger.formatLogFmt,
    Logger.formatJson,
    Logger.map(Logger.formatStructured, (line) => inspect(line, { depth: 9 }))
  ].map((form) =>
    Logger.map(form, (line) => {
      lines.push(line)
    })
  )
  yield* Effect.logInfo("decoded", message).pipe(
    Effect.annotateLogs({ message }),
    Effect.provide(Logger.layer(loggers))
  )
  return lines
})

describe.each([
  ["a new credential", Schema.decodeUnknownEffect(NewCredential)],
  ["a change of one", Schema.decodeUnknownEffect(CredentialPatch)]
])("the secret of %s", (_, decode) => {
  it.effect("is not readable in a printed request", () =>
    Effect.gen(function* () {
      const decoded = yield* decode({ provider: "acme", key: secret, name: "mine" })
      assert.deepStrictEqual(decoded.key && Redacted.value(decoded.key), secret)
      const lines = yield* logged(decoded)
      assert.lengthOf(lines, 4)
      const printed = [
        format("%s %o %j", decoded.key, decoded, decoded),
        JSON.stringify(decoded),
        inspect(decoded, { depth: 9, showHidden: true, getters: true }),
        ...lines
      ].join("\n")
      assert.include(printed, "mine")
      assert.notInclude(printed, secret)
    })
  )

  it.effect.each([
    ["a blank behind it", `${secret} `],
    ["another type", [secret]],
    ["too many characters", secret.repeat(1_000)]
  ] as const)("is not part of the error message for %s", ([__, key]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(decode({ provider: "acme", key }))
      const { path, problem } = toInvalidRequest(error)
      assert.strictEqual(path[0], "key")
      assert.notInclude(problem, secret)
    })
  )
})
