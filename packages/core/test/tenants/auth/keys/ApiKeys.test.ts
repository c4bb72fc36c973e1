import { inspect } from "node:util"
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import type { NewKey } from "../../../../src/tenants/auth/keys/ApiKey.ts"
import { ApiKeys, type IssuedKey } from "../../../../src/tenants/auth/keys/ApiKeys.ts"
import { Authenticator } from "../../../../src/tenants/auth/Authenticator.ts"
import { ApiKeyStore } from "../../../../src/tenants/auth/keys/ApiKeyStore.ts"
import { ApiKeyCache } from "../../../../src/tenants/auth/keys/ApiKeyCache.ts"
import { SpendCounters } from "../../../../src/engine/ledger/SpendCounters.ts"
import { MemoryJournal, memoryTransaction } from "../../../../src/memory/MemoryJournal.ts"
import { Audit } from "../../../../src/engine/observability/audit/Audit.ts"
import { AuditLog } from "../../../../src/engine/observability/audit/AuditLog.ts"
import { hashKey } from "../../../../src/engine/secrets/hashKey.ts"
import { AccountId, KeyHash, UserId, defaultWorkspaceId } from "../../../../src/values/ids/Ids.ts"
import type { Actor } from "../../../../src/values/Actor.ts"
import { make as nano } from "../../../../src/values/usage/NanoUsd.ts"
import { Workspaces } from "../../../../src/tenants/workspaces/Workspaces.ts"
import { makeAuthenticationRequest } from "../makeAuthenticationRequest.ts"
import { memoryApiKeyStore } from "../../../../src/memory/memoryApiKeyStore.ts"
import { memoryAuditLog } from "../../../../src/memory/memoryAuditLog.ts"
import { memoryLedgerStore } from "../../../../src/memory/memoryLedgerStore.ts"
import { memorySpendCounters } from "../../../../src/memory/memorySpendCounters.ts"
import { memoryWorkspaceStore } from "../../../../src/memory/memoryWorkspaceStore.ts"

const services = Layer.mergeAll(Authenticator.layer, ApiKeys.layer).pipe(
  Layer.provideMerge(
    Layer.mergeAll(
      ApiKeyCache.layer,
      memoryLedgerStore.pipe(
        Layer.provideMerge(memorySpendCounters),
        Layer.provide(MemoryJournal.layer)
      ),
      Workspaces.layer
    )
  ),
  Layer.provideMerge(Audit.layer),
  Layer.provideMerge(
    Layer.mergeAll(memoryApiKeyStore, memoryTransaction, memoryAuditLog, memoryWorkspaceStore)
  ),
  Layer.provide(MemoryJournal.layer),
  Layer.provideMerge(NodeCrypto.layerDigest)
)
const provideServices = Effect.provide(services)

const actor: Actor = {
  account: AccountId.make("acme"),
  user: UserId.make("ada"),
  keyHash: KeyHash.make("f".repeat(64))
}
const page = { offset: 0, limit: 100 }

const create = (config: NewKey = { name: "ci" }) =>
  ApiKeys.use((keys) => keys.create(actor, config))
const authenticateWith = (secret: IssuedKey["secret"]) =>
  Authenticator.use(({ authenticate }) => authenticate(makeAuthenticationRequest(secret)))
/** `_tag` of the error, or the name of the key. */
const describeOutcome = (secret: IssuedKey["secret"]) =>
  Effect.match(authenticateWith(secret), {
    onFailure: ({ _tag }) => _tag as string,
    onSuccess: ({ keyHash }) => keyHash as string
  })

describe("ApiKeys", () => {
  it.effect("does not remember a removed key in memory, unless the options name it", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const store = yield* ApiKeyStore
      const { key } = yield* create()
      yield* keys.remove(actor, key.hash)
      yield* store.ensure(key)
      assert.deepStrictEqual(yield* store.find(actor.account, key.hash), key)
      yield* keys.remove(actor, key.hash)
      yield* store.ensure(key)
      assert.isUndefined(yield* store.find(actor.account, key.hash))
    }).pipe(provideServices)
  )

  it.effect("creates a key that authenticates, and shows its secret once", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const { key, secret } = yield* create()
      assert.match(Redacted.value(secret), /^sk-sb-v1-[0-9a-f]{64}$/)
      assert.strictEqual(key.hash, yield* hashKey(secret))
      const { keyHash, ...caller } = yield* authenticateWith(secret)
      assert.strictEqual(keyHash, key.hash)
      assert.deepStrictEqual(caller, {
        account: actor.account,
        workspace: defaultWorkspaceId,
        kind: "member",
        user: UserId.make("ada")
      })
      const log = yield* AuditLog
      const everything = inspect(
        [
          yield* keys.list(actor, { include_disabled: true }, page),
          yield* keys.get(actor, key.hash),
          yield* log.list(actor.account, page)
        ],
        { depth: 12 }
      )
      assert.include(everything, key.hash)
      assert.notInclude(everything, Redacted.value(secret).slice(9))
    }).pipe(provideServices)
  )

  it.effect("creates unique secrets", () =>
    Effect.gen(function* () {
      const made = yield* Effect.forEach(Array.from({ length: 50 }), () => create())
      assert.strictEqual(new Set(made.map(({ secret }) => Redacted.value(secret))).size, 50)
    }).pipe(provideServices)
  )

  it.effect.each([
    [{}, "member", "ada"],
    [{ creator_user_id: null }, "organization", undefined],
    [{ creator_user_id: UserId.make("bob") }, "member", "bob"]
  ] as const)("makes the key act for its member: %j", ([config, kind, user]) =>
    Effect.gen(function* () {
      const { key, secret } = yield* create({ name: "ci", ...config })
      assert.strictEqual(key.creator_user_id, user ?? null)
      const caller = yield* authenticateWith(secret)
      assert.strictEqual(caller.kind, kind)
      assert.strictEqual<string | undefined>(caller.user, user)
    }).pipe(provideServices)
  )

  it.effect("adds the spending limit and the rate limit of the key to its caller", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const { key, secret } = yield* create({
        name: "ci",
        limit: 0.3,
        limit_reset: "weekly",
        include_byok_in_limit: true
      })
      const limit = { cap: nano(300_000_000n), reset: "weekly", includesByok: true } as const
      assert.deepStrictEqual((yield* authenticateWith(secret)).limit, limit)
      const rateLimit = { requests: 3, windowMillis: 1_000 }
      yield* keys.setRateLimit(actor, key.hash, { rate_limit: rateLimit })
      const caller = yield* authenticateWith(secret)
      assert.deepStrictEqual(caller.ownRateLimit, rateLimit)
      assert.deepStrictEqual(caller.limit, limit)
      yield* keys.update(actor, key.hash, { limit: null })
      yield* keys.setRateLimit(actor, key.hash, { rate_limit: null })
      const free = yield* authenticateWith(secret)
      assert.isFalse("limit" in free || "ownRateLimit" in free)
    }).pipe(provideServices)
  )

  it.effect("rejects a disabled key at once, and accepts it again once it is enabled", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const { key, secret } = yield* create()
      assert.strictEqual(yield* describeOutcome(secret), key.hash)
      yield* keys.update(actor, key.hash, { disabled: true })
      assert.strictEqual(yield* describeOutcome(secret), "Unauthenticated")
      yield* keys.update(actor, key.hash, { disabled: false })
      assert.strictEqual(yield* describeOutcome(secret), key.hash)
      yield* keys.remove(actor, key.hash)
      assert.strictEqual(yield* describeOutcome(secret), "Unauthenticated")
    }).pipe(provideServices)
  )

  it.effect("rejects a key once it expires", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2026-11-01T11:59:59.999Z"))
      const { key, secret } = yield* create({ name: "ci", expires_at: "2026-11-01T13:00:00+01:00" })
      assert.strictEqual(key.expires_at, "2026-11-01T12:00:00.000Z")
      assert.strictEqual(yield* describeOutcome(secret), key.hash)
      yield* TestClock.adjust(1)
      assert.strictEqual(yield* describeOutcome(secret), "Unauthenticated")
      const late = yield* Effect.flip(create({ name: "ci", expires_at: "2026-11-01T12:00:00Z" }))
      assert.deepInclude(late, { path: ["expires_at"] })
    }).pipe(provideServices)
  )

  it.effect("replaces the secret at once, and keeps the key and its spending", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const counters = yield* SpendCounters
      const { key, secret } = yield* create({ name: "ci", limit: 5 })
      yield* describeOutcome(secret)
      yield* counters.record(
        { account: actor.account, workspace: key.workspace, keyHash: key.hash },
        nano(7n),
        false,
        0
      )
      const next = yield* keys.rotate(actor, key.hash, 0)
      assert.strictEqual(next.key.hash, key.hash)
      assert.strictEqual(next.key.limit, 5)
      assert.strictEqual(next.spend.usage, nano(7n))
      assert.strictEqual(yield* describeOutcome(secret), "Unauthenticated")
      assert.strictEqual(yield* describeOutcome(next.secret), key.hash)
    }).pipe(provideServices)
  )

  it.effect("accepts the former secret for the requested grace period only", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const { key, secret } = yield* create()
      const second = yield* keys.rotate(actor, key.hash, 60)
      assert.strictEqual(yield* describeOutcome(secret), key.hash)
      assert.strictEqual(yield* describeOutcome(second.secret), key.hash)
      yield* TestClock.adjust(59_999)
      assert.strictEqual(yield* describeOutcome(secret), key.hash)
      yield* TestClock.adjust(1)
      assert.strictEqual(yield* describeOutcome(secret), "Unauthenticated")
      assert.strictEqual(yield* describeOutcome(second.secret), key.hash)
      const third = yield* keys.rotate(actor, key.hash, 60)
      yield* keys.update(actor, key.hash, { disabled: true })
      for (const each of [secret, second.secret, third.secret]) {
        assert.strictEqual(yield* describeOutcome(each), "Unauthenticated")
      }
    }).pipe(provideServices)
  )

  it.effect("finds no key of another account, and none for an invalid id", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const { key } = yield* create()
      const stranger: Actor = { account: AccountId.make("other") }
      for (const [who, hash] of [
        [stranger, key.hash],
        [actor, "0".repeat(64)],
        [actor, key.hash.toUpperCase()],
        [actor, "__proto__"],
        [actor, ""]
      ] as const) {
        const missing = { _tag: "ResourceNotFound", resource: "API key", id: hash }
        for (const asked of [
          keys.get(who, hash),
          keys.update(who, hash, { name: "mine" }),
          keys.setRateLimit(who, hash, { rate_limit: null }),
          keys.rotate(who, hash, 0),
          keys.remove(who, hash)
        ]) {
          assert.deepInclude(
            yield* Effect.flip<unknown, { readonly _tag: string }, never>(asked),
            missing
          )
        }
      }
      assert.strictEqual((yield* keys.get(actor, key.hash)).key.name, "ci")
    }).pipe(provideServices)
  )

  it.effect("does not record a change without effect, or update the time of the last change", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const { key } = yield* create({ name: "ci", limit: 5 })
      yield* TestClock.adjust(1_000)
      for (const patch of [{}, { name: "ci", limit: 5, disabled: false }]) {
        assert.deepStrictEqual((yield* keys.update(actor, key.hash, patch)).key, key)
      }
      assert.deepStrictEqual(
        (yield* keys.setRateLimit(actor, key.hash, { rate_limit: null })).key,
        key
      )
      const { rows } = yield* AuditLog.use((log) => log.list(actor.account, page))
      assert.deepStrictEqual(
        rows.map(({ action }) => action),
        ["key.create"]
      )
    }).pipe(provideServices)
  )

  it.effect("records every change with its actor, before and after, without secrets", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const log = yield* AuditLog
      const { key } = yield* create({
        name: "ci",
        external: { user: "u", api_key: Redacted.make("0123456789abcdef-0123456789abcdef") }
      })
      yield* keys.update(actor, key.hash, { name: "renamed" })
      yield* keys.setRateLimit(actor, key.hash, { rate_limit: { requests: 1, windowMillis: 1 } })
      const { key: rotated } = yield* keys.rotate(actor, key.hash, 60)
      yield* keys.remove(actor, key.hash)
      yield* Effect.ignore(keys.remove(actor, key.hash))
      const { rows } = yield* log.list(actor.account, page)
      assert.deepStrictEqual(
        rows.map(({ action, actor, target }) => ({ action, actor, target })),
        ["delete", "rotate", "rate_limit", "update", "create"].map((verb) => ({
          action: `key.${verb}`,
          actor: { keyHash: KeyHash.make("f".repeat(64)), user: UserId.make("ada") },
          target: key.hash
        }))
      )
      const [, , , renaming] = rows
      assert.deepInclude(renaming?.before, { name: "ci" })
      assert.deepInclude(renaming?.after, { name: "renamed" })
      const text = inspect(rows, { depth: 12 })
      assert.notInclude(text, rotated.secret_hash)
      assert.notInclude(text, key.external_key_hash ?? "none")
    }).pipe(provideServices)
  )
})
