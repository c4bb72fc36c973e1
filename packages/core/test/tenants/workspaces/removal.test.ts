import { inspect } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import * as Digest from "effect/crypto/Digest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as ApiKey from "../../../src/tenants/auth/keys/ApiKey.ts"
import { ApiKeys } from "../../../src/tenants/auth/keys/ApiKeys.ts"
import { ApiKeyStore } from "../../../src/tenants/auth/keys/ApiKeyStore.ts"
import { Authenticator } from "../../../src/tenants/auth/Authenticator.ts"
import { ApiKeyCache } from "../../../src/tenants/auth/keys/ApiKeyCache.ts"
import { Credentials } from "../../../src/tenants/byok/Credentials.ts"
import { CredentialStore } from "../../../src/tenants/byok/CredentialStore.ts"
import { Guardrails } from "../../../src/tenants/guardrails/Guardrails.ts"
import { GuardrailStore } from "../../../src/tenants/guardrails/GuardrailStore.ts"
import { MemoryJournal, memoryTransaction } from "../../../src/memory/MemoryJournal.ts"
import { Audit } from "../../../src/engine/observability/audit/Audit.ts"
import { type AuditEntry, AuditLog } from "../../../src/engine/observability/audit/AuditLog.ts"
import { Sealer } from "../../../src/engine/secrets/Sealer.ts"
import { AccountId, KeyHash, UserId, WorkspaceId } from "../../../src/values/ids/Ids.ts"
import type { Actor } from "../../../src/values/Actor.ts"
import { toDefaultGuardrailId } from "../../../src/tenants/workspaces/Workspace.ts"
import { Workspaces } from "../../../src/tenants/workspaces/Workspaces.ts"
import { WorkspaceStore } from "../../../src/tenants/workspaces/WorkspaceStore.ts"
import { makeAuthenticationRequest } from "../auth/makeAuthenticationRequest.ts"
import { memoryApiKeyStore } from "../../../src/memory/memoryApiKeyStore.ts"
import { memoryAuditLog } from "../../../src/memory/memoryAuditLog.ts"
import { memoryCredentialStore } from "../../../src/memory/memoryCredentialStore.ts"
import { memoryGuardrailStore } from "../../../src/memory/memoryGuardrailStore.ts"
import { memoryLedgerStore } from "../../../src/memory/memoryLedgerStore.ts"
import { memorySpendCounters } from "../../../src/memory/memorySpendCounters.ts"
import { memoryWorkspaceStore } from "../../../src/memory/memoryWorkspaceStore.ts"

const stores = Layer.mergeAll(
  memoryApiKeyStore,
  memoryTransaction,
  memoryAuditLog,
  memoryCredentialStore,
  memoryGuardrailStore,
  memoryWorkspaceStore
).pipe(Layer.provide(MemoryJournal.layer))

/** `refuses`: the action that the audit log cannot store. */
const makeInstance = (refuses?: string) =>
  Layer.mergeAll(Authenticator.layer, Credentials.layer, Guardrails.layer).pipe(
    Layer.provideMerge(ApiKeys.layer),
    Layer.provideMerge([
      ApiKeyCache.layer,
      memoryLedgerStore.pipe(
        Layer.provideMerge(memorySpendCounters),
        Layer.provide(MemoryJournal.layer)
      ),
      Workspaces.layer
    ]),
    Layer.provideMerge(Audit.layer),
    Layer.provideMerge(
      Layer.effect(
        AuditLog,
        Effect.map(AuditLog, (log) => ({
          ...log,
          append: (entry: AuditEntry) =>
            entry.action === refuses ? Effect.die("the log is full") : log.append(entry)
        }))
      )
    ),
    Layer.provideMerge(stores),
    Layer.provide([
      Digest.layerWebCrypto,
      Sealer.layer({ current: "k", keys: { k: "a sealing key that is hard to guess, for tests" } })
    ])
  )

const actor = { account: AccountId.make("acme"), user: UserId.make("ada") }
const stranger: Actor = { account: AccountId.make("other") }
const all = { offset: 0, limit: 100 }

/**
 * Two workspaces with one of every resource, another account's workspace, and account-wide
 * resources.
 */
const createFixture = Effect.gen(function* () {
  const workspaces = yield* Workspaces
  const furnish = Effect.fnUntraced(function* (owner: Actor, slug: string) {
    const { id } = yield* workspaces.create(owner, { name: slug, slug })
    yield* workspaces.addMembers(owner, id, ["ada"])
    const key = yield* ApiKeys.use((keys) => keys.create(owner, { name: slug, workspace_id: id }))
    const guardrail = yield* Guardrails.use((guardrails) =>
      guardrails.create(owner, { name: slug, workspace_id: id })
    )
    const credential = yield* Credentials.use((credentials) =>
      credentials.create(owner, {
        provider: "acme",
        key: Redacted.make(`sk-secret-${slug}`),
        workspace_id: id
      })
    )
    return { id, secret: key.secret, hash: key.key.hash, guardrail, credential }
  })
  const gone = yield* furnish(actor, "gone")
  const stays = yield* furnish(actor, "stays")
  const foreign = yield* furnish(stranger, "gone")
  const guardrails = yield* Guardrails
  yield* guardrails.assignKeys(actor, gone.guardrail.id, [stays.hash])
  yield* guardrails.assignMembers(actor, gone.guardrail.id, ["ada"])
  yield* guardrails.assignKeys(actor, stays.guardrail.id, [gone.hash])
  yield* guardrails.update(actor, (yield* workspaces.get(actor, gone.id)).default_guardrail_id, {
    description: "written"
  })
  yield* Credentials.use((credentials) =>
    credentials.adopt(actor.account, { provider: "acme", key: "sk-for-every-workspace" })
  )
  const manager = KeyHash.make("e".repeat(64))
  yield* ApiKeyStore.use((keys) =>
    keys.put(
      ApiKey.make(
        { account: actor.account, workspace: WorkspaceId.make(gone.id), kind: "management" },
        { secret_hash: manager, label: "sk-..." },
        "2026-11-21T00:00:00.000Z",
        { name: "manager" }
      )
    )
  )
  return { gone, stays, foreign, manager }
})

/** Everything an account has. */
const holdings = Effect.fnUntraced(function* (owner: Actor) {
  const { account } = owner
  const keys = yield* ApiKeyStore
  const guardrails = yield* GuardrailStore
  const credentials = yield* CredentialStore
  const { rows } = yield* WorkspaceStore.use((store) => store.list(account, all))
  return {
    workspaces: rows.map(({ slug }) => slug),
    members: yield* Effect.forEach(rows, ({ id }) =>
      WorkspaceStore.use((store) => store.members(account, id, all))
    ),
    keys: (yield* keys.list(account, { includeDisabled: true }, all)).rows.map(({ name }) => name),
    guardrails: (yield* Effect.forEach(rows, ({ id }) =>
      guardrails.list(account, id, all)
    )).flatMap((page) => page.rows.map(({ name }) => name)),
    assignments: [
      ...(yield* guardrails.listAssignments(account, "key", undefined, all)).rows,
      ...(yield* guardrails.listAssignments(account, "member", undefined, all)).rows
    ].map(({ guardrail_id, subject }) => [guardrail_id, subject]),
    credentials: (yield* credentials.list(account, {}, all)).rows.map(
      ({ credential }) => credential.workspace_id
    ),
    auditEntries: (yield* AuditLog.use((log) => log.list(account, all))).rows.length
  }
})

/** The name of the key, or the error of the authentication. */
const openSecret = (secret: Redacted.Redacted) =>
  Effect.match(
    Authenticator.use(({ authenticate }) => authenticate(makeAuthenticationRequest(secret))),
    {
      onFailure: ({ _tag }) => _tag as string,
      onSuccess: ({ keyHash }) => keyHash as string
    }
  )

describe("the removal of a workspace", () => {
  it.effect("removes its keys, guardrails, assignments and credentials, and nothing else", () =>
    Effect.gen(function* () {
      const { foreign, gone, manager, stays } = yield* createFixture
      const untouched = yield* holdings(stranger)
      // Cached by the authentication.
      assert.strictEqual(yield* openSecret(gone.secret), gone.hash)
      const { auditEntries } = yield* holdings(actor)
      yield* Workspaces.use((workspaces) => workspaces.remove(actor, "gone"))

      assert.strictEqual(yield* openSecret(gone.secret), "Unauthenticated")
      assert.strictEqual(yield* openSecret(stays.secret), stays.hash)
      assert.strictEqual(yield* openSecret(foreign.secret), foreign.hash)
      assert.deepStrictEqual(yield* holdings(stranger), untouched)
      const left = yield* holdings(actor)
      assert.deepStrictEqual(
        { ...left, members: left.members.map(({ total }) => total) },
        {
          workspaces: ["default", "stays"],
          members: [0, 1],
          keys: ["stays", "manager"],
          guardrails: ["stays"],
          assignments: [],
          credentials: [stays.id, null],
          auditEntries: auditEntries + 6
        }
      )
      assert.isDefined(yield* ApiKeyStore.use((keys) => keys.findBySecretHash(manager)))
      yield* Effect.flip(Guardrails.use((each) => each.get(actor, gone.guardrail.id)))

      const { rows } = yield* AuditLog.use((log) => log.list(actor.account, all))
      const entries = rows.slice(0, 6).map(({ action, actor: by, target }) => [action, target, by])
      const by = { user: actor.user }
      assert.deepStrictEqual(entries[0], ["workspace.delete", gone.id, by])
      assert.sameDeepMembers(entries.slice(1), [
        ["byok.delete", gone.credential.id, by],
        ["guardrail.delete", toDefaultGuardrailId(gone.id), by],
        ["guardrail.delete", gone.guardrail.id, by],
        ["guardrail.keys.unassign", stays.guardrail.id, by],
        ["key.delete", gone.hash, by]
      ])
      assert.notInclude(inspect(rows, { depth: 9 }), "sk-secret-")
    }).pipe(Effect.provide(makeInstance()))
  )

  describe.each([
    "workspace.delete",
    "key.delete",
    "guardrail.delete",
    "guardrail.keys.unassign",
    "byok.delete"
  ])("that fails at %s", (action) => {
    it.effect("leaves everything unchanged", () =>
      Effect.gen(function* () {
        const { gone } = yield* createFixture
        assert.strictEqual(yield* openSecret(gone.secret), gone.hash)
        const before = yield* holdings(actor)
        const exit = yield* Effect.exit(
          Workspaces.use((workspaces) => workspaces.remove(actor, gone.id))
        )
        assert.isTrue(Exit.hasDies(exit))
        assert.deepStrictEqual(yield* holdings(actor), before)
        assert.strictEqual(yield* openSecret(gone.secret), gone.hash)
      }).pipe(Effect.provide(makeInstance(action)))
    )
  })

  it.effect("leaves nothing that is created concurrently", () =>
    Effect.gen(function* () {
      const { gone } = yield* createFixture
      const made = { name: "late", workspace_id: gone.id }
      const late = [
        Effect.exit(ApiKeys.use((keys) => Effect.asVoid(keys.create(actor, made)))),
        Effect.exit(Guardrails.use((guardrails) => Effect.asVoid(guardrails.create(actor, made)))),
        Effect.exit(
          Credentials.use((credentials) =>
            Effect.asVoid(
              credentials.create(actor, {
                ...made,
                provider: "acme",
                key: Redacted.make("sk-secret-late")
              })
            )
          )
        )
      ]
      const exits = yield* Effect.all(
        [...late, Effect.exit(Workspaces.use((each) => each.remove(actor, gone.id))), ...late],
        { concurrency: "unbounded" }
      )
      assert.strictEqual(exits[3]?._tag, "Success")
      assert.deepStrictEqual(
        exits.slice(-3).map(({ _tag }) => _tag),
        ["Failure", "Failure", "Failure"]
      )
      const left = yield* holdings(actor)
      assert.deepStrictEqual(left.keys, ["stays", "manager"])
      assert.notInclude(left.credentials, gone.id)
      const { total } = yield* GuardrailStore.use((store) =>
        store.list(actor.account, gone.id, all)
      )
      assert.strictEqual(total, 0)
    }).pipe(Effect.provide(makeInstance()))
  )
})

describe("the removal of a key", () => {
  it.effect("removes its assignment, even after a rotation", () =>
    Effect.gen(function* () {
      const { stays } = yield* createFixture
      const [keys, guardrails] = [yield* ApiKeys, yield* Guardrails]
      yield* keys.rotate(actor, stays.hash, 0)
      assert.strictEqual(yield* guardrails.assignKeys(actor, stays.guardrail.id, [stays.hash]), 1)
      const assigned = Effect.map(
        guardrails.listKeyAssignments(actor, undefined, all),
        ({ rows }) => rows.map(({ key_name }) => key_name)
      )
      const kept = yield* GuardrailStore.use((store) =>
        store.listAssignments(actor.account, "key", stays.guardrail.id, all)
      )
      assert.deepStrictEqual(yield* assigned, ["gone", "stays"])
      yield* keys.remove(actor, stays.hash)
      assert.deepStrictEqual(yield* assigned, ["gone"])
      const { rows } = yield* AuditLog.use((log) => log.list(actor.account, all))
      assert.deepStrictEqual(
        rows
          .slice(0, 2)
          .map(({ action, before, target }) => [
            action,
            target,
            action === "key.delete" ? undefined : before
          ]),
        [
          ["guardrail.keys.unassign", stays.guardrail.id, kept.rows.slice(-1)],
          ["key.delete", stays.hash, undefined]
        ]
      )
    }).pipe(Effect.provide(makeInstance()))
  )

  it.effect("that fails leaves key and assignment", () =>
    Effect.gen(function* () {
      const { stays } = yield* createFixture
      const before = yield* holdings(actor)
      const exit = yield* Effect.exit(ApiKeys.use((keys) => keys.remove(actor, stays.hash)))
      assert.isTrue(Exit.hasDies(exit))
      assert.deepStrictEqual(yield* holdings(actor), before)
    }).pipe(Effect.provide(makeInstance("guardrail.keys.unassign")))
  )
})
