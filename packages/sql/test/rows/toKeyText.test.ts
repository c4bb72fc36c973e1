import type { AccountId } from "@signalbox/core"
import { AccountStore } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import fc from "fast-check"
import { assert, describe, it } from "vitest"
import { toKeyText } from "../../src/rows/toKeyText.ts"
import { emptyStores } from "../databases.ts"

const text = fc.string({ unit: fc.constantFrom("a", "\\", "\0", "\ud83d", "\ude00", "0", "é") })

describe("key text", () => {
  it("can be stored, for any text", () => {
    fc.assert(
      fc.property(text, (original) => {
        const encoded = toKeyText(original)
        assert.isTrue(encoded.isWellFormed() && !encoded.includes("\0"))
      })
    )
  })

  it("is equal only for equal text", () => {
    fc.assert(
      fc.property(text, text, (one, other) => {
        assert.strictEqual(toKeyText(one) === toKeyText(other), one === other)
      })
    )
  })

  it("is the text itself if the databases can store that", () => {
    for (const plain of ["default", "räume 😀", '["key","a b"]', "__proto__"]) {
      assert.strictEqual(toKeyText(plain), plain)
    }
  })

  it.each(Object.entries(emptyStores()))(
    "looks up rows on %s by text that it cannot store",
    (_, stores) =>
      Effect.gen(function* () {
        const accounts = yield* AccountStore
        const odd = ["a\0b", "a", "a\ud83d", "a\ude00", "a\\0000b", ""].map((id) => id as AccountId)
        for (const id of odd) yield* accounts.update(id, () => ({ only: [id] }))
        for (const id of odd) assert.deepStrictEqual(yield* accounts.get(id), { id, only: [id] })
      }).pipe(Effect.provide(stores()), Effect.runPromise)
  )
})
