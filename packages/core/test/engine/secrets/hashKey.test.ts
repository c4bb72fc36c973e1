import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { hashKey, isSameSecret } from "../../../src/engine/secrets/hashKey.ts"
import { KeyHash } from "../../../src/values/ids/Ids.ts"

layer(NodeCrypto.layerDigest)("KeyHash", (it) => {
  it.effect.each([
    // FIPS 180-2, appendix B.1, and the digest of the empty text.
    ["abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
    ["", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
    // `printf 'schlüssel😀' | sha256sum`
    ["schlüssel😀", "55a72ffbb2d21b39afa5dc5b7c31cf0f645ebf9dc18664b890c4327002f6ae0f"]
  ])("is the SHA-256 of %s", ([key, hex]) =>
    Effect.gen(function* () {
      const hash = yield* hashKey(Redacted.make(key!))
      assert.strictEqual(hash, KeyHash.make(hex!))
    })
  )

  it.effect("compares hashes completely, wherever they differ", () =>
    Effect.gen(function* () {
      const hash = yield* hashKey(Redacted.make("sk-one"))
      assert.isTrue(isSameSecret(hash, KeyHash.make(hash.slice())))
      for (let i = 0; i < 64; i++) {
        const other = hash[i] === "0" ? "1" : "0"
        const changed = KeyHash.make(hash.slice(0, i) + other + hash.slice(i + 1))
        assert.isFalse(isSameSecret(hash, changed))
      }
    })
  )

  it("has 64 lower-case hex digits and no other format", () => {
    const is = Schema.is(KeyHash)
    assert.isTrue(is("0123456789abcdef".repeat(4)))
    for (const text of ["", "0".repeat(63), "0".repeat(65), "A".repeat(64), "g".repeat(64)]) {
      assert.isFalse(is(text))
    }
  })
})
