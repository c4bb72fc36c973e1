import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { assert, layer } from "@effect/vitest"
import * as Digest from "effect/crypto/Digest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as ApiKey from "../../../src/tenants/auth/keys/ApiKey.ts"
import { ApiKeyStore } from "../../../src/tenants/auth/keys/ApiKeyStore.ts"
import { Authenticator } from "../../../src/tenants/auth/Authenticator.ts"
import { ApiKeyCache } from "../../../src/tenants/auth/keys/ApiKeyCache.ts"
import { MemoryJournal } from "../../../src/memory/MemoryJournal.ts"
import { hashKey } from "../../../src/engine/secrets/hashKey.ts"
import { AccountId, UserId, WorkspaceId } from "../../../src/values/ids/Ids.ts"
import { makeAuthenticationRequest } from "./makeAuthenticationRequest.ts"
import { memoryApiKeyStore } from "../../../src/memory/memoryApiKeyStore.ts"
import { memoryWorkspaceStore } from "../../../src/memory/memoryWorkspaceStore.ts"

const services = Authenticator.layer.pipe(
  Layer.provideMerge(ApiKeyCache.layer),
  Layer.provideMerge([memoryApiKeyStore, memoryWorkspaceStore]),
  Layer.provide(MemoryJournal.layer),
  Layer.provideMerge(NodeCrypto.layerDigest)
)

const issue = Effect.fnUntraced(function* (
  secret: string,
  of: Pick<ApiKey.ApiKey, "kind" | "user">
) {
  const store = yield* ApiKeyStore
  const key = ApiKey.make(
    { account: AccountId.make("acme"), workspace: WorkspaceId.make("lab"), ...of },
    { secret_hash: yield* hashKey(Redacted.make(secret)), label: "***" },
    "2026-11-01T00:00:00.000Z",
    { name: "a key" }
  )
  yield* store.put(key)
  return key
})

layer(services)("Authenticator", (it) => {
  it.effect.each([
    { kind: "member", user: UserId.make("ada") },
    { kind: "organization" },
    { kind: "management" }
  ] as const)("finds the caller of a key: %j", (of) =>
    Effect.gen(function* () {
      const { authenticate } = yield* Authenticator
      const { account, hash, workspace } = yield* issue(`sk-${of.kind}`, of)
      assert.deepStrictEqual(yield* authenticate(makeAuthenticationRequest(`sk-${of.kind}`)), {
        account,
        workspace,
        keyHash: hash,
        ...of
      })
    })
  )

  it.effect("rejects a key that was never issued, however similar", () =>
    Effect.gen(function* () {
      const { authenticate } = yield* Authenticator
      const { hash } = yield* issue("sk-issued", { kind: "organization" })
      for (const token of ["sk-issue", "sk-issued ", "SK-ISSUED", "", hash]) {
        const error = yield* Effect.flip(authenticate(makeAuthenticationRequest(token)))
        assert.strictEqual(error._tag, "Unauthenticated")
      }
    })
  )
})

/** Counts what is hashed. */
const countingDigest = Layer.effect(
  Digest.Digest,
  Effect.map(Digest.Digest, (digest) => ({
    ...digest,
    digestHex: (algorithm, data) =>
      Effect.suspend(() => {
        hashed++
        return digest.digestHex(algorithm, data)
      })
  }))
).pipe(Layer.provide(NodeCrypto.layerDigest))
let hashed = 0

const countingServices = Authenticator.layer.pipe(
  Layer.provideMerge(ApiKeyCache.layer),
  Layer.provideMerge([memoryApiKeyStore, memoryWorkspaceStore]),
  Layer.provide(MemoryJournal.layer),
  Layer.provideMerge(countingDigest)
)

layer(countingServices)("keys by connection", (it) => {
  /** The hash of the key whose caller sent the request, or undefined, and how often a key was hashed. */
  const send = Effect.fnUntraced(function* (token: string, connection?: object) {
    const { authenticate } = yield* Authenticator
    hashed = 0
    const caller = yield* Effect.option(
      authenticate(makeAuthenticationRequest(token), { connection })
    )
    return { keyHash: Option.getOrUndefined(caller)?.keyHash, hashed }
  })

  it.effect("hashes the key of a connection once", () =>
    Effect.gen(function* () {
      const { hash: keyHash } = yield* issue("sk-once", { kind: "organization" })
      const connection = {}
      assert.deepStrictEqual(yield* send("sk-once", connection), { keyHash, hashed: 1 })
      assert.deepStrictEqual(yield* send("sk-once", connection), { keyHash, hashed: 0 })
      assert.deepStrictEqual(yield* send("sk-once", {}), { keyHash, hashed: 1 })
      assert.deepStrictEqual(yield* send("sk-once"), { keyHash, hashed: 1 })
    })
  )

  it.effect("takes each key for itself on a connection of a proxy, which many clients share", () =>
    Effect.gen(function* () {
      const connection = {}
      const ada = yield* issue("sk-ada", { kind: "organization" })
      const bob = yield* issue("sk-bob", { kind: "organization" })
      for (const [secret, { hash }] of [
        ["sk-ada", ada],
        ["sk-bob", bob],
        ["sk-ada", ada]
      ] as const) {
        assert.strictEqual((yield* send(secret, connection)).keyHash, hash)
      }
    })
  )

  it.effect("rejects a key on an open connection once it is disabled", () =>
    Effect.gen(function* () {
      const connection = {}
      const key = yield* issue("sk-revoked", { kind: "organization" })
      assert.strictEqual((yield* send("sk-revoked", connection)).keyHash, key.hash)
      yield* (yield* ApiKeyStore).put({ ...key, disabled: true })
      yield* (yield* ApiKeyCache).invalidate(key)
      assert.strictEqual((yield* send("sk-revoked", connection)).keyHash, undefined)
    })
  )

  it.effect("keeps no key of a stranger", () =>
    Effect.gen(function* () {
      const connection = {}
      for (let request = 0; request < 2; request++) {
        assert.deepStrictEqual(yield* send("sk-stranger", connection), {
          keyHash: undefined,
          hashed: 1
        })
      }
    })
  )
})
