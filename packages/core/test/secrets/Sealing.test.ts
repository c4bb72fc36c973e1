import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { Sealing, type SealingKeys } from "../../src/secrets/Sealing.ts"

const [old, fresh, wrong] = ["old", "fresh", "wrong"].map((name) => `${name}:`.padEnd(40, "x"))

const sealing = (keys: SealingKeys | undefined) =>
  Effect.provide(
    Effect.map(Sealing, (sealing) => sealing),
    Sealing.layer(keys)
  )
const of = (current: string, keys: Record<string, string>) => sealing({ current, keys })

const secret = Redacted.make("sk-a-secret-of-somebody")
const place = ["byok", "account", "row"]

describe("Sealing", () => {
  it.effect("opens what it sealed, in its place", () =>
    Effect.gen(function* () {
      const { open, seal } = yield* of("a", { a: old! })
      const sealed = yield* seal(secret, place)
      assert.strictEqual(sealed.keyId, "a")
      assert.notInclude(JSON.stringify(sealed), "secret")
      assert.strictEqual(Redacted.value(yield* open(sealed, place)), Redacted.value(secret))
    })
  )

  it.effect("never seals one secret to the same twice", () =>
    Effect.gen(function* () {
      const { seal } = yield* of("a", { a: old! })
      assert.notStrictEqual((yield* seal(secret, place)).box, (yield* seal(secret, place)).box)
    })
  )

  it.effect("opens nothing in another place, altered, or under another key", () =>
    Effect.gen(function* () {
      const { open, seal } = yield* of("a", { a: old! })
      const sealed = yield* seal(secret, place)
      const swapped = `${sealed.box.slice(0, -2)}${sealed.box.at(-1)}${sealed.box.at(-2)}`
      const stranger = yield* of("a", { a: wrong! })
      const attempts = [
        open(sealed, ["byok", "account", "other row"]),
        open(sealed, ["byok", "other account", "row"]),
        open(sealed, ["byok", "accountrow"]),
        open({ ...sealed, box: `A${sealed.box.slice(1)}` }, place),
        open({ ...sealed, box: swapped === sealed.box ? "AA" : swapped }, place),
        open({ ...sealed, box: "" }, place),
        open({ ...sealed, box: "not base64!" }, place),
        open({ ...sealed, keyId: "__proto__" }, place),
        stranger.open(sealed, place)
      ]
      for (const attempt of attempts) {
        assert.strictEqual((yield* Effect.flip(attempt))._tag, "CannotOpen")
      }
    })
  )

  it.effect("opens what an older key sealed while it seals under the current one", () =>
    Effect.gen(function* () {
      const before = yield* of("a", { a: old! })
      const after = yield* of("b", { a: old!, b: fresh! })
      const sealed = yield* before.seal(secret, place)
      assert.strictEqual(Redacted.value(yield* after.open(sealed, place)), Redacted.value(secret))
      assert.strictEqual((yield* after.seal(secret, place)).keyId, "b")
    })
  )

  it.effect("seals nothing without keys", () =>
    Effect.gen(function* () {
      const { current, seal } = yield* sealing(undefined)
      assert.isUndefined(current)
      assert.strictEqual((yield* Effect.flip(seal(secret, place)))._tag, "CannotSeal")
    })
  )

  it.effect.each([
    [{ current: "b", keys: { a: old! } }, /"b", which is not in/],
    [{ current: "toString", keys: { a: old! } }, /"toString", which is not in/],
    [{ current: "a", keys: { a: "short" } }, /sealing\.keys\.a has fewer than 32/],
    [{ current: "a", keys: { a: Redacted.make("") } }, /is the variable that holds it set/]
  ] as const)("refuses %j and says what to mend", ([keys, problem]) =>
    Effect.gen(function* () {
      const cause = yield* Effect.flip(Effect.sandbox(sealing(keys)))
      assert.match(String(cause), problem)
      assert.notInclude(String(cause), 'short"')
    })
  )
})
