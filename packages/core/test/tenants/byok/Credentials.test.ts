import { assert, describe, it } from "@effect/vitest"
import * as Digest from "effect/crypto/Digest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as fc from "fast-check"
import { scaleRuns } from "../../../../../vitest.scope.ts"
import * as ApiKey from "../../../src/tenants/auth/keys/ApiKey.ts"
import { ApiKeyStore } from "../../../src/tenants/auth/keys/ApiKeyStore.ts"
import type { Caller } from "../../../src/tenants/auth/Caller.ts"
import type { HostCredential, NewCredential } from "../../../src/tenants/byok/Credential.ts"
import { Credentials } from "../../../src/tenants/byok/Credentials.ts"
import { CredentialStore } from "../../../src/tenants/byok/CredentialStore.ts"
import * as Configuration from "../../../src/engine/catalog/Configuration.ts"
import { MemoryJournal, memoryTransaction } from "../../../src/memory/MemoryJournal.ts"
import { Audit } from "../../../src/engine/observability/audit/Audit.ts"
import { AuditLog } from "../../../src/engine/observability/audit/AuditLog.ts"
import { Sealer, type SealingKeys } from "../../../src/engine/secrets/Sealer.ts"
import {
  AccountId,
  KeyHash,
  UserId,
  WorkspaceId,
  defaultAccountId,
  defaultWorkspaceId
} from "../../../src/values/ids/Ids.ts"
import { Workspaces } from "../../../src/tenants/workspaces/Workspaces.ts"
import { memoryApiKeyStore } from "../../../src/memory/memoryApiKeyStore.ts"
import { memoryAuditLog } from "../../../src/memory/memoryAuditLog.ts"
import { memoryCredentialStore } from "../../../src/memory/memoryCredentialStore.ts"
import { memoryWorkspaceStore } from "../../../src/memory/memoryWorkspaceStore.ts"

const first = { current: "k1", keys: { k1: "1".repeat(32) } } satisfies SealingKeys
const second: SealingKeys = { current: "k2", keys: { ...first.keys, k2: "2".repeat(32) } }

const stores = Layer.mergeAll(
  memoryApiKeyStore,
  memoryTransaction,
  memoryAuditLog,
  memoryCredentialStore,
  memoryWorkspaceStore
).pipe(Layer.provide(MemoryJournal.layer))

/** Uses existing stores, like a restarted instance. */
const makeCredentialsLayer = (sealing: SealingKeys | undefined) =>
  makeLayerSealedBy(Sealer.layer(sealing))

const makeLayerSealedBy = (sealing: Layer.Layer<Sealer>) =>
  Credentials.layer.pipe(
    Layer.provideMerge(Workspaces.layer),
    Layer.provide(Audit.layer),
    Layer.provide(sealing),
    Layer.provide(Digest.layerWebCrypto)
  )

const provideCredentials = <A, E>(
  effect: Effect.Effect<A, E, ApiKeyStore | Credentials | Workspaces>,
  sealing: SealingKeys | "none" = first
) =>
  Effect.provide(effect, makeCredentialsLayer(sealing === "none" ? undefined : sealing), {
    local: true
  })

const actor = { account: defaultAccountId }
const all = { offset: 0, limit: 100 }
const secret = "sk-a-secret-of-somebody"
const config: NewCredential = { provider: "acme", key: Redacted.make(secret) }
const another = Redacted.make("sk-another-secret-0123")

const caller: Caller = {
  account: defaultAccountId,
  workspace: defaultWorkspaceId,
  kind: "member",
  user: UserId.make("user-1"),
  keyHash: KeyHash.make("a".repeat(64))
}

const configuration = Configuration.make(
  1,
  [{ slug: "acme", name: "Acme" }],
  ["a/b", "a/c"].map((id) => ({
    id,
    ...(id === "a/b" ? { family: "family" } : undefined),
    endpoints: [{ provider: "acme", price: { prompt: "0", completion: "0" } }]
  }))
)
const { models } = configuration

const listSecrets = (as: Caller = caller) =>
  Effect.flatMap(Credentials, (credentials) =>
    Effect.flatMap(credentials.listUsable(as, models, configuration), (usable) =>
      Effect.forEach(usable, ({ secret }) => Effect.map(secret, Redacted.value))
    )
  )

const issue = (account: AccountId, hash: KeyHash) =>
  ApiKeyStore.use((keys) =>
    keys.put(
      ApiKey.make(
        { account, workspace: defaultWorkspaceId, kind: "organization" },
        { secret_hash: hash, label: "sk-..." },
        "2026-11-21T00:00:00.000Z",
        { name: "key" }
      )
    )
  )

const hashes = ["a", "b"].map((digit) => KeyHash.make(digit.repeat(64)))
const users = ["user-1", "user-2"].map((id) => UserId.make(id))
const workspaces = [defaultWorkspaceId, WorkspaceId.make("elsewhere")]
const some = <A>(list: ReadonlyArray<A>) =>
  fc.option(fc.subarray([...list]), { nil: null, freq: 2 })

describe("Credentials", () => {
  it.effect("returns the secret of a credential only to callers of its account", () =>
    Effect.gen(function* () {
      yield* provideCredentials(
        Effect.gen(function* () {
          const credentials = yield* Credentials
          yield* credentials.create(actor, config)
          assert.deepStrictEqual(yield* listSecrets(), [secret])
          const stranger = { ...caller, account: AccountId.make("other") }
          assert.deepStrictEqual(yield* listSecrets(stranger), [])
        })
      )
    }).pipe(Effect.provide(stores))
  )

  it("excludes models, keys, users and workspaces that a credential is not for", async () => {
    const world = Layer.provideMerge(makeCredentialsLayer(first), stores)
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          allowed_models: some(["a/b", "a/c", "~a/family-latest", "a/strange"]),
          allowed_api_key_hashes: some(hashes),
          allowed_user_ids: some(users),
          disabled: fc.boolean()
        }),
        fc.record({
          keyHash: fc.constantFrom(undefined, ...hashes),
          user: fc.constantFrom(undefined, ...users),
          workspace: fc.constantFrom(...workspaces)
        }),
        fc.subarray([...models]),
        (lists, { keyHash, user, workspace }, asked) =>
          Effect.gen(function* () {
            const credentials = yield* Credentials
            for (const hash of hashes) yield* issue(defaultAccountId, hash)
            yield* credentials.create(actor, { ...config, ...lists })
            const usable = yield* credentials.listUsable(
              {
                account: defaultAccountId,
                workspace,
                kind: "member",
                ...(keyHash === undefined ? undefined : { keyHash }),
                ...(user === undefined ? undefined : { user })
              },
              asked,
              configuration
            )
            const isFor =
              !lists.disabled &&
              workspace === defaultWorkspaceId &&
              (lists.allowed_api_key_hashes?.some((hash) => hash === keyHash) ?? true) &&
              (lists.allowed_user_ids?.some((id) => id === user) ?? true)
            const covered = asked.filter(
              ({ id }) =>
                lists.allowed_models === null ||
                lists.allowed_models.includes(id) ||
                (id === "a/b" && lists.allowed_models.includes("~a/family-latest"))
            )
            assert.deepStrictEqual(
              usable.flatMap(({ models }) => Array.from(models)),
              isFor ? covered.map(({ id }) => String(id)) : []
            )
          }).pipe(Effect.provide(world), Effect.runPromise)
      ),
      { numRuns: scaleRuns(200) }
    )
  })

  it.effect("bars shared capacity for all models, even without covering a requested one", () =>
    Effect.gen(function* () {
      const credentials = yield* Credentials
      yield* credentials.create(actor, {
        ...config,
        is_byok_only: true,
        allowed_models: ["a/strange"]
      })
      const [usable] = yield* credentials.listUsable(caller, models, configuration)
      assert.deepStrictEqual(usable?.models, new Set())
      assert.isTrue(usable?.credential.is_byok_only)
    }).pipe(provideCredentials, Effect.provide(stores))
  )

  it.effect("records every change in the audit log, without secrets", () =>
    Effect.gen(function* () {
      yield* provideCredentials(
        Effect.gen(function* () {
          const credentials = yield* Credentials
          const { id } = yield* credentials.create(actor, config)
          const { id: other } = yield* credentials.create(actor, config)
          yield* credentials.update(actor, id, { key: another })
          yield* credentials.update(actor, id, { disabled: true })
          yield* credentials.reorder(actor, [other])
          yield* credentials.remove(actor, id)
          yield* Effect.flip(credentials.remove(actor, id))
          yield* Effect.flip(
            credentials.update(actor, other, { is_byok_only: true, is_fallback: true })
          )
        })
      )
      const log = yield* AuditLog
      const { rows } = yield* log.list(defaultAccountId, all)
      assert.deepStrictEqual(
        rows.map(({ action }) => action),
        ["byok.delete", "byok.order", "byok.update", "byok.update", "byok.create", "byok.create"]
      )
      const text = JSON.stringify(rows)
      assert.include(text, '"key_replaced":true')
      assert.notInclude(text, "secret")
    }).pipe(Effect.provide(stores))
  )

  it.effect("records an order with its previous state, and no change without effect", () =>
    Effect.gen(function* () {
      const made = yield* provideCredentials(
        Effect.gen(function* () {
          const credentials = yield* Credentials
          const all = yield* Effect.replicateEffect(credentials.create(actor, config), 3)
          const [a, b, c] = all.map(({ id }) => id)
          yield* credentials.reorder(actor, [c!, a!])
          yield* credentials.reorder(actor, [c!])
          yield* credentials.update(actor, b!, { name: null, disabled: false })
          return all
        })
      )
      const log = yield* AuditLog
      const { rows } = yield* log.list(defaultAccountId, all)
      assert.deepStrictEqual(
        rows.slice(0, -3).map(({ action, target }) => [action, target]),
        [["byok.order", defaultAccountId]]
      )
      const orderOf = (...places: ReadonlyArray<number>) =>
        places.map((sort_order, at) => ({ id: made[at]?.id, sort_order }))
      const [{ after, before } = { after: [], before: [] }] = rows
      assert.sameDeepMembers(before as Array<unknown>, orderOf(0, 1, 2))
      assert.sameDeepMembers(after as Array<unknown>, orderOf(1, 2, 0))
    }).pipe(Effect.provide(stores))
  )

  it.effect("rejects API keys of another account and unknown ones", () =>
    Effect.gen(function* () {
      const credentials = yield* Credentials
      const [own, unknown] = hashes as [KeyHash, KeyHash]
      const foreign = KeyHash.make("f".repeat(64))
      yield* issue(defaultAccountId, own)
      yield* issue(AccountId.make("other"), foreign)
      const { id } = yield* credentials.create(actor, { ...config, allowed_api_key_hashes: [own] })
      for (const hash of [foreign, unknown]) {
        const lists = { allowed_api_key_hashes: [own, hash] }
        const refused = { path: ["allowed_api_key_hashes", 1], problem: "there is no such key" }
        const creating = credentials.create(actor, { ...config, ...lists })
        assert.deepInclude(yield* Effect.flip(creating), refused)
        const updating = credentials.update(actor, id, lists)
        assert.deepInclude(yield* Effect.flip(updating), refused)
      }
      yield* ApiKeyStore.use((keys) => keys.remove(defaultAccountId, own))
      // An update with the lists of a response succeeds, even if a key was deleted in between.
      const stored = yield* credentials.get(actor, id)
      const { allowed_api_key_hashes } = stored
      assert.deepStrictEqual(
        yield* credentials.update(actor, id, { allowed_api_key_hashes }),
        stored
      )
    }).pipe(provideCredentials, Effect.provide(stores))
  )

  it.effect("rejects contradictory roles in an update", () =>
    Effect.gen(function* () {
      const credentials = yield* Credentials
      const { id } = yield* credentials.create(actor, { ...config, is_fallback: true })
      const error = yield* Effect.flip(credentials.update(actor, id, { is_byok_only: true }))
      assert.deepInclude(error, { _tag: "InvalidRequest", path: ["is_byok_only"] })
      const swapped = { is_byok_only: true, is_fallback: false }
      assert.deepInclude(yield* credentials.update(actor, id, swapped), swapped)
    }).pipe(provideCredentials, Effect.provide(stores))
  )

  it.effect("stores nothing without a sealing key, and names the option to set", () =>
    Effect.gen(function* () {
      const credentials = yield* Credentials
      const error = yield* Effect.flip(credentials.create(actor, config))
      assert.strictEqual(error._tag, "InvalidRequest")
      assert.include("problem" in error ? error.problem : "", "`sealing`")
      assert.strictEqual(yield* credentials.reseal, 0)
    }).pipe((effect) => provideCredentials(effect, "none"), Effect.provide(stores))
  )

  it.effect("moves to a new sealing key without downtime, and then works without the old one", () =>
    Effect.gen(function* () {
      const create = Effect.flatMap(Credentials, ({ create }) => create(actor, config))
      const reseal = Effect.flatMap(Credentials, ({ reseal }) => reseal)
      const { id } = yield* provideCredentials(create)
      assert.deepStrictEqual(yield* provideCredentials(listSecrets(), second), [secret])
      yield* provideCredentials(create, second)
      assert.strictEqual(yield* provideCredentials(reseal, second), 1)
      assert.strictEqual(yield* provideCredentials(reseal, second), 0)
      const fresh: SealingKeys = { current: "k2", keys: { k2: "2".repeat(32) } }
      assert.deepStrictEqual(yield* provideCredentials(listSecrets(), fresh), [secret, secret])
      const log = yield* AuditLog
      const [latest] = (yield* log.list(defaultAccountId, all)).rows
      assert.deepInclude(latest, { action: "byok.reseal", target: id })
    }).pipe(Effect.provide(stores))
  )

  it.effect("unseals a secret once, and again after it is replaced", () => {
    let openings = 0
    const counting = Layer.effect(
      Sealer,
      Effect.map(Sealer, (sealing) => ({
        ...sealing,
        unseal: (...asked: Parameters<typeof sealing.unseal>) => {
          openings++
          return sealing.unseal(...asked)
        }
      }))
    ).pipe(Layer.provide(Sealer.layer(first)))
    return Effect.gen(function* () {
      const credentials = yield* Credentials
      const { id } = yield* credentials.create(actor, config)
      assert.deepStrictEqual(yield* listSecrets(), [secret])
      assert.deepStrictEqual(yield* listSecrets(), [secret])
      assert.strictEqual(openings, 1)
      yield* credentials.update(actor, id, { key: Redacted.make("sk-a-secret-of-its-heir") })
      assert.deepStrictEqual(yield* listSecrets(), ["sk-a-secret-of-its-heir"])
      assert.deepStrictEqual(yield* listSecrets(), ["sk-a-secret-of-its-heir"])
      assert.strictEqual(openings, 2)
    }).pipe(Effect.provide(Layer.provideMerge(makeLayerSealedBy(counting), stores)))
  })

  it.effect("does not unseal a secret that was moved to another row", () =>
    Effect.gen(function* () {
      const store = yield* CredentialStore
      const { id } = yield* provideCredentials(
        Effect.flatMap(Credentials, ({ create }) => create(actor, config))
      )
      const { credential, sealed } = (yield* store.find(defaultAccountId, id))!
      const thief = AccountId.make("thief")
      yield* store.insert(thief, { credential, sealed })
      yield* store.insert(defaultAccountId, { credential: { ...credential, id: "moved" }, sealed })
      yield* store.update(defaultAccountId, id, (kept) => ({
        ...kept,
        credential: { ...credential, provider: "elsewhere" }
      }))
      yield* provideCredentials(
        Effect.gen(function* () {
          const credentials = yield* Credentials
          const usable = [
            ...(yield* credentials.listUsable(
              { ...caller, account: thief },
              models,
              configuration
            )),
            ...(yield* credentials.listUsable(caller, models, configuration))
          ]
          assert.strictEqual(usable.length, 3)
          for (const { secret } of usable) {
            assert.strictEqual((yield* Effect.flip(secret))._tag, "UnsealFailed")
          }
        })
      )
    }).pipe(Effect.provide(stores))
  )

  it.effect("adopts a host's credential once, for every workspace, across restarts", () =>
    Effect.gen(function* () {
      const adopt = (rest: Partial<HostCredential> = {}) =>
        provideCredentials(
          Effect.flatMap(Credentials, ({ adopt }) =>
            adopt(defaultAccountId, { ...config, name: "ours", ...rest })
          )
        )
      const kept = Effect.flatMap(CredentialStore, ({ listEnabled }) =>
        listEnabled(defaultAccountId)
      )
      yield* adopt()
      const [before] = yield* kept
      assert.isNull(before?.credential.workspace_id)
      yield* adopt()
      assert.deepStrictEqual(yield* kept, [before])
      yield* adopt({ key: another, is_required: true })
      const [after, ...others] = yield* kept
      assert.deepStrictEqual(others, [])
      assert.strictEqual(after?.credential.id, before?.credential.id)
      assert.deepInclude(after?.credential, { is_required: true, label: "sk-a...3" })
      const elsewhere = { ...caller, workspace: WorkspaceId.make("elsewhere") }
      assert.deepStrictEqual(yield* provideCredentials(listSecrets(elsewhere)), [
        "sk-another-secret-0123"
      ])
      const cause = yield* Effect.flip(Effect.sandbox(adopt({ provider: "No Slug" })))
      assert.match(String(cause), /RangeError: credentials: provider/)
    }).pipe(Effect.provide(stores))
  )

  it.effect("adopts a credential for an existing workspace only, by id or slug", () =>
    Effect.gen(function* () {
      for (const workspace_id of ["5f0c6c1e-6a5b-4f6e-9f0e-0123456789ab", "default"]) {
        yield* provideCredentials(
          Credentials.use(({ adopt }) =>
            adopt(defaultAccountId, { ...config, name: workspace_id, workspace_id })
          )
        )
      }
      const kept = yield* CredentialStore.use(({ listEnabled }) => listEnabled(defaultAccountId))
      assert.deepStrictEqual(
        kept.map(({ credential }) => credential.workspace_id),
        [defaultWorkspaceId]
      )
    }).pipe(Effect.provide(stores))
  )

  it.effect("shows a rejection until the secret is replaced", () =>
    Effect.gen(function* () {
      const credentials = yield* Credentials
      const { id } = yield* credentials.create(actor, config)
      const states = Effect.map(
        credentials.listStates(actor, { provider: "ACME" }, all),
        ({ rows }) => rows.map(({ last_error, sealed_under }) => [sealed_under, last_error])
      )
      assert.deepStrictEqual(yield* states, [["k1", null]])
      const [usable] = yield* credentials.listUsable(caller, models, configuration)
      yield* usable!.reportRefusal({ at: 0, kind: "credential_refused", status: 401 })
      const last = { at: "1970-01-01T00:00:00.000Z", kind: "credential_refused", status: 401 }
      assert.deepStrictEqual(yield* states, [["k1", last]])
      yield* credentials.update(actor, id, { name: "renamed" })
      assert.deepStrictEqual(yield* states, [["k1", last]])
      yield* credentials.update(actor, id, { key: another })
      assert.deepStrictEqual(yield* states, [["k1", null]])
      yield* usable!.reportRefusal({ at: 0, kind: "credential_refused", status: 401 })
      assert.deepStrictEqual(yield* states, [["k1", null]])
    }).pipe(provideCredentials, Effect.provide(stores))
  )
})
