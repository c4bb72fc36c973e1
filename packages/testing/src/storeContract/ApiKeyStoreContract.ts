/** What every `ApiKeyStore` must do. */
import { type ApiKey, ApiKeyStore, defaultWorkspaceId, UserId } from "@signalbox/core"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { assert, describe, it } from "vitest"
import * as fresh from "./fresh.ts"
import { runOn } from "./runOn.ts"

const key = (): ApiKey => ({
  hash: fresh.keyHash(),
  account: fresh.account(),
  workspace: defaultWorkspaceId,
  kind: "organization",
  name: "a key",
  label: "sk-one...xyz"
})

/** Declares the tests in a vitest file: `ApiKeyStoreContract("postgres", layer)`. */
export const ApiKeyStoreContract = (
  implementation: string,
  layer: Layer.Layer<ApiKeyStore, unknown>
): void => {
  const run = runOn(layer)
  describe(`ApiKeyStore: ${implementation}`, () => {
    it("finds a key by its hash, exactly as it was put", () =>
      run(
        Effect.gen(function* () {
          const store = yield* ApiKeyStore
          const plain = key()
          const member: ApiKey = { ...key(), kind: "member", user: UserId.make("user_1") }
          yield* store.put(plain)
          yield* store.put(member)
          assert.deepStrictEqual(yield* store.findByHash(plain.hash), plain)
          assert.deepStrictEqual(yield* store.findByHash(member.hash), member)
        })
      ))

    it("knows no key nobody put", () =>
      run(
        Effect.gen(function* () {
          const store = yield* ApiKeyStore
          yield* store.put(key())
          assert.isUndefined(yield* store.findByHash(fresh.keyHash()))
        })
      ))

    it("replaces the key with the same hash, and no other", () =>
      run(
        Effect.gen(function* () {
          const store = yield* ApiKeyStore
          const [first, other] = [key(), key()]
          const second: ApiKey = {
            ...first,
            kind: "member",
            user: UserId.make("user_1"),
            name: "renamed"
          }
          yield* Effect.forEach([first, other, second], store.put)
          assert.deepStrictEqual(yield* store.findByHash(first.hash), second)
          assert.deepStrictEqual(yield* store.findByHash(other.hash), other)
          yield* store.put(first)
          assert.deepStrictEqual(yield* store.findByHash(first.hash), first)
        })
      ))

    it("keeps every one of many keys put at once", () =>
      run(
        Effect.gen(function* () {
          const store = yield* ApiKeyStore
          const keys = Array.from({ length: 20 }, key)
          yield* Effect.forEach(keys, store.put, { concurrency: "unbounded" })
          for (const put of keys) assert.deepStrictEqual(yield* store.findByHash(put.hash), put)
        })
      ))
  })
}
