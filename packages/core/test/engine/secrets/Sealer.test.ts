import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { Sealer, type SealingKeys } from "../../../src/engine/secrets/Sealer.ts"

const [old, fresh, wrong] = ["old", "fresh", "wrong"].map((name) => `${name}:`.padEnd(40, "x"))

const makeSealer = (keys: SealingKeys | undefined) =>
  Effect.provide(
    Effect.map(Sealer, (sealing) => sealing),
    Sealer.layer(keys)
  )
const makeSealerWith = (current: string, keys: Record<string, string>) =>
  makeSealer({ current, keys })

const secret = Redacted.make("sk-a-secret-of-somebody")
const context = ["byok", "account", "row"]

describe("Sealer", () => {
  it.effect("opens what it sealed, in the same place", () =>
    Effect.gen(function* () {
      const { unseal, seal } = yield* makeSealerWith("a", { a: old! })
      const sealed = yield* seal(secret, context)
      assert.strictEqual(sealed.keyId, "a")
      assert.notInclude(JSON.stringify(sealed), "secret")
      assert.strictEqual(Redacted.value(yield* unseal(sealed, context)), Redacted.value(secret))
    })
  )

  it.effect("never returns the same ciphertext twice", () =>
    Effect.gen(function* () {
      const { seal } = yield* makeSealerWith("a", { a: old! })
      assert.notStrictEqual(
        (yield* seal(secret, context)).ciphertext,
        (yield* seal(secret, context)).ciphertext
      )
    })
  )

  it.effect("opens nothing in another place, altered, or under another key", () =>
    Effect.gen(function* () {
      const { unseal, seal } = yield* makeSealerWith("a", { a: old! })
      const sealed = yield* seal(secret, context)
      const swapped = `${sealed.ciphertext.slice(0, -2)}${sealed.ciphertext.at(-1)}${sealed.ciphertext.at(-2)}`
      const other = sealed.ciphertext.startsWith("A") ? "B" : "A"
      const stranger = yield* makeSealerWith("a", { a: wrong! })
      const attempts = [
        unseal(sealed, ["byok", "account", "other row"]),
        unseal(sealed, ["byok", "other account", "row"]),
        unseal(sealed, ["byok", "accountrow"]),
        unseal({ ...sealed, ciphertext: `${other}${sealed.ciphertext.slice(1)}` }, context),
        unseal({ ...sealed, ciphertext: swapped === sealed.ciphertext ? "AA" : swapped }, context),
        unseal({ ...sealed, ciphertext: "" }, context),
        unseal({ ...sealed, ciphertext: "not base64!" }, context),
        unseal({ ...sealed, keyId: "__proto__" }, context),
        stranger.unseal(sealed, context)
      ]
      for (const attempt of attempts) {
        assert.strictEqual((yield* Effect.flip(attempt))._tag, "UnsealFailed")
      }
    })
  )

  it.effect("opens what an older key sealed, and seals under the current one", () =>
    Effect.gen(function* () {
      const before = yield* makeSealerWith("a", { a: old! })
      const after = yield* makeSealerWith("b", { a: old!, b: fresh! })
      const sealed = yield* before.seal(secret, context)
      assert.strictEqual(
        Redacted.value(yield* after.unseal(sealed, context)),
        Redacted.value(secret)
      )
      assert.strictEqual((yield* after.seal(secret, context)).keyId, "b")
    })
  )

  it.effect("seals nothing without keys", () =>
    Effect.gen(function* () {
      const { currentKeyId, seal } = yield* makeSealer(undefined)
      assert.isUndefined(currentKeyId)
      assert.strictEqual((yield* Effect.flip(seal(secret, context)))._tag, "SealingKeysMissing")
    })
  )

  it.effect.each([
    [{ current: "b", keys: { a: old! } }, /"b", which is not in/],
    [{ current: "toString", keys: { a: old! } }, /"toString", which is not in/],
    [{ current: "a", keys: { a: "short" } }, /sealing\.keys\.a has fewer than 32/],
    [{ current: "a", keys: { a: Redacted.make("") } }, /is the variable that holds it set/]
  ] as const)("rejects %j with the correction", ([keys, problem]) =>
    Effect.gen(function* () {
      const cause = yield* Effect.flip(Effect.sandbox(makeSealer(keys)))
      assert.match(String(cause), problem)
      assert.notInclude(String(cause), 'short"')
    })
  )
})
