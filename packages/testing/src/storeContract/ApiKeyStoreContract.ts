/** What every `ApiKeyStore` must do. */
import {
  type ApiKey,
  ApiKeyStore,
  UserId,
  WorkspaceId,
  type Atomically
} from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { assert, describe, it } from "vitest"
import * as fresh from "./fresh.ts"
import { keepingQuotas } from "./keepingQuotas.ts"
import { runOn } from "./runOn.ts"

const all = { includeDisabled: true }
const page = { offset: 0, limit: 100 }

const insert = (key: ApiKey) => ApiKeyStore.use((store) => store.put(key))
const found = (key: ApiKey) => ApiKeyStore.use((store) => store.find(key.account, key.hash))
const opening = (secret: ApiKey["secret_hash"]) =>
  ApiKeyStore.use((store) => store.findByHash(secret))
const listed = (account: ApiKey["account"]) =>
  ApiKeyStore.use((store) => store.list(account, all, page))

const takenOver = (key: ApiKey): ApiKey => ({ ...key, name: "taken over" })

/** Puts a fresh secret in; the one before goes, or stays as the former one. */
const rotate = (key: ApiKey, keepsFormer: boolean) => {
  const secret_hash = fresh.keyHash()
  return ApiKeyStore.use((store) =>
    store.rotate(key.account, key.hash, (before) => ({
      ...before,
      secret_hash,
      former_secret: keepsFormer
        ? { hash: before.secret_hash, expires_at: "2026-11-02T00:00:00.000Z" }
        : null
    }))
  )
}

/** Of a key that is there. */
const rotated = (key: ApiKey, keepsFormer: boolean) =>
  Effect.flatMap(rotate(key, keepsFormer), (rotated) =>
    rotated === undefined ? Effect.die("there is no such key") : Effect.succeed(rotated)
  )

/** Declares the tests in a vitest file: `ApiKeyStoreContract("postgres", layer)`. */
export const ApiKeyStoreContract = (
  implementation: string,
  layer: Layer.Layer<Atomically | ApiKeyStore, unknown>
): void => {
  const run = runOn(layer)
  describe(`ApiKeyStore: ${implementation}`, () => {
    keepingQuotas(
      run,
      "keys",
      ApiKeyStore.useSync((store) => ({
        count: store.count,
        add: (account, workspace) =>
          store.put(fresh.apiKey({ account, workspace: WorkspaceId.make(workspace) }))
      }))
    )

    it("finds a key by its hash, exactly as it was put", () =>
      run(
        Effect.gen(function* () {
          const plain = fresh.apiKey()
          const full = fresh.apiKey({
            kind: "member",
            user: UserId.make("user_1"),
            former_secret: { hash: fresh.keyHash(), expires_at: "2026-11-02T00:00:00.000Z" },
            limit: 0.000_000_001,
            limit_reset: "weekly",
            include_byok_in_limit: true,
            disabled: true,
            expires_at: "2030-01-01T00:00:00.000Z",
            updated_at: "2026-11-01T00:00:00.001Z",
            creator_user_id: "user_1",
            external_user: "__proto__",
            external_key_hash: fresh.keyHash(),
            rate_limit: { requests: 3, windowMillis: 1_000 }
          })
          yield* insert(plain)
          yield* insert(full)
          for (const key of [plain, full]) {
            assert.deepStrictEqual(yield* opening(key.hash), key)
            assert.deepStrictEqual(yield* found(key), key)
          }
        })
      ))

    it("knows no key nobody put", () =>
      run(
        Effect.gen(function* () {
          yield* insert(fresh.apiKey())
          const unknown = fresh.apiKey()
          assert.isUndefined(yield* opening(unknown.hash))
          assert.isUndefined(yield* found(unknown))
        })
      ))

    it("replaces the key with the same hash, and no other", () =>
      run(
        Effect.gen(function* () {
          const [first, other] = [fresh.apiKey(), fresh.apiKey()]
          const second: ApiKey = {
            ...first,
            kind: "member",
            user: UserId.make("user_1"),
            name: "renamed"
          }
          yield* Effect.forEach([first, other, second], insert)
          assert.deepStrictEqual(yield* opening(first.hash), second)
          assert.deepStrictEqual(yield* opening(other.hash), other)
          yield* insert(first)
          assert.deepStrictEqual(yield* opening(first.hash), first)
        })
      ))

    it("keeps every one of many keys put at once", () =>
      run(
        Effect.gen(function* () {
          const keys = Array.from({ length: 20 }, () => fresh.apiKey())
          yield* Effect.forEach(keys, insert, { concurrency: "unbounded" })
          for (const put of keys) assert.deepStrictEqual(yield* opening(put.hash), put)
        })
      ))

    it("shows no account the keys of another one", () =>
      run(
        Effect.gen(function* () {
          const store = yield* ApiKeyStore
          const key = fresh.apiKey()
          const stranger = fresh.account()
          yield* insert(key)
          assert.isUndefined(yield* store.find(stranger, key.hash))
          assert.isUndefined(yield* store.update(stranger, key.hash, takenOver))
          assert.isUndefined(yield* store.rotate(stranger, key.hash, takenOver))
          assert.isUndefined(yield* store.remove(stranger, key.hash))
          assert.deepStrictEqual(yield* listed(stranger), { rows: [], total: 0 })
          assert.deepStrictEqual(yield* found(key), key)
        })
      ))

    it("lists the keys of an account from the oldest on, page by page", () =>
      run(
        Effect.gen(function* () {
          const store = yield* ApiKeyStore
          const account = fresh.account()
          const keys = Array.from({ length: 5 }, (_, i) =>
            fresh.apiKey({ account, created_at: `2026-11-01T00:00:0${i}.000Z` })
          )
          yield* Effect.forEach(keys, insert)
          yield* insert(fresh.apiKey())
          assert.deepStrictEqual(yield* listed(account), { rows: keys, total: 5 })
          assert.deepStrictEqual(yield* store.list(account, all, { offset: 3, limit: 1 }), {
            rows: keys.slice(3, 4),
            total: 5
          })
          assert.deepStrictEqual(yield* store.list(account, all, { offset: 5, limit: 2 }), {
            rows: [],
            total: 5
          })
        })
      ))

    it("lists those of a workspace, and the disabled ones when they are asked for", () =>
      run(
        Effect.gen(function* () {
          const store = yield* ApiKeyStore
          const account = fresh.account()
          const workspace = WorkspaceId.make("a workspace")
          const outside = fresh.apiKey({ account, created_at: "2026-11-01T00:00:00.000Z" })
          const off = fresh.apiKey({
            account,
            workspace,
            disabled: true,
            created_at: "2026-11-01T00:00:01.000Z"
          })
          const on = fresh.apiKey({ account, workspace, created_at: "2026-11-01T00:00:02.000Z" })
          yield* Effect.forEach([outside, off, on], insert)
          const rowsOf = (filter: Parameters<typeof store.list>[1]) =>
            Effect.map(store.list(account, filter, page), ({ rows, total }) => {
              assert.strictEqual(rows.length, total)
              return rows
            })
          assert.deepStrictEqual(yield* rowsOf({ includeDisabled: false }), [outside, on])
          assert.deepStrictEqual(yield* rowsOf({ includeDisabled: true, workspace }), [off, on])
          assert.deepStrictEqual(yield* rowsOf({ includeDisabled: false, workspace }), [on])
        })
      ))

    it("keeps all of many changes made to one key at once", () =>
      run(
        Effect.gen(function* () {
          const store = yield* ApiKeyStore
          const key = fresh.apiKey({ name: "" })
          yield* insert(key)
          yield* Effect.forEach(
            Array.from("abcdefghij"),
            (letter) =>
              store.update(key.account, key.hash, (before) => ({
                ...before,
                name: before.name + letter
              })),
            { concurrency: "unbounded" }
          )
          const after = yield* found(key)
          assert.strictEqual(
            Array.from(after?.name ?? "")
              .toSorted()
              .join(""),
            "abcdefghij"
          )
          assert.deepStrictEqual(yield* opening(key.secret_hash), after)
        })
      ))

    it("removes a key once, tells what it was, and brings it back for nobody's change", () =>
      run(
        Effect.gen(function* () {
          const store = yield* ApiKeyStore
          const key = fresh.apiKey({
            former_secret: { hash: fresh.keyHash(), expires_at: "2026-11-02T00:00:00.000Z" }
          })
          yield* insert(key)
          const removed = yield* Effect.all(
            Array.from({ length: 10 }, () => store.remove(key.account, key.hash)),
            { concurrency: "unbounded" }
          )
          assert.deepStrictEqual(
            removed.filter((each) => each !== undefined),
            [key]
          )
          assert.isUndefined(yield* store.update(key.account, key.hash, (key) => key))
          assert.isUndefined(yield* rotate(key, true))
          assert.isUndefined(yield* found(key))
          assert.isUndefined(yield* opening(key.secret_hash))
          assert.isUndefined(yield* opening(key.former_secret?.hash ?? key.hash))
          assert.deepStrictEqual(yield* listed(key.account), { rows: [], total: 0 })
        })
      ))

    it("ensures a key once: what was changed stays changed, what was removed stays away", () =>
      run(
        Effect.gen(function* () {
          const store = yield* ApiKeyStore
          const key = fresh.apiKey()
          const names = Array.from({ length: 10 }, (_, i) => `name ${i}`)
          yield* Effect.forEach(names, (name) => store.ensure({ ...key, name }), {
            concurrency: "unbounded"
          })
          const first = yield* found(key)
          assert.include(names, first?.name)
          assert.strictEqual((yield* listed(key.account)).total, 1)
          yield* store.update(key.account, key.hash, (key) => ({ ...key, disabled: true }))
          yield* store.ensure(key)
          assert.deepStrictEqual(yield* opening(key.hash), { ...first, disabled: true })
          const { after } = yield* rotated(key, false)
          yield* store.ensure(key)
          assert.isUndefined(yield* opening(key.hash))
          assert.isDefined(yield* opening(after.secret_hash))
          yield* store.remove(key.account, key.hash)
          yield* store.ensure(key)
          assert.isUndefined(yield* opening(key.hash))
          assert.isUndefined(yield* found(key))
        })
      ))

    it("takes the old secret out as it puts the new one in", () =>
      run(
        Effect.gen(function* () {
          const key = fresh.apiKey()
          yield* insert(key)
          const first = yield* rotated(key, false)
          assert.deepStrictEqual(first.before, key)
          assert.isUndefined(yield* opening(key.secret_hash))
          assert.deepStrictEqual(yield* opening(first.after.secret_hash), first.after)
          assert.deepStrictEqual(yield* found(key), first.after)

          const second = yield* rotated(key, true)
          assert.deepStrictEqual(second.before, first.after)
          for (const secret of [first.after.secret_hash, second.after.secret_hash]) {
            assert.deepStrictEqual(yield* opening(secret), second.after)
          }
          const third = yield* rotated(key, true)
          assert.isUndefined(yield* opening(first.after.secret_hash))
          assert.deepStrictEqual(yield* opening(second.after.secret_hash), third.after)
        })
      ))

    it("leaves one secret of many rotations made at once, and that of the last one", () =>
      run(
        Effect.gen(function* () {
          const key = fresh.apiKey()
          yield* insert(key)
          const rotations = yield* Effect.all(
            Array.from({ length: 10 }, () => rotated(key, false)),
            { concurrency: "unbounded" }
          )
          const last = yield* found(key)
          const secrets = rotations.flatMap(({ after, before }) => [
            before.secret_hash,
            after.secret_hash
          ])
          // A chain: each but the first and the last goes out where it came in.
          assert.strictEqual(new Set(secrets).size, 11)
          for (const secret of secrets) {
            const opened = yield* opening(secret)
            assert.strictEqual(opened !== undefined, secret === last?.secret_hash)
          }
        })
      ))
  })
}
