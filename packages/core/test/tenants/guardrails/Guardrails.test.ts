import { assert, describe, it } from "@effect/vitest"
import * as Digest from "effect/crypto/Digest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import * as ApiKey from "../../../src/tenants/auth/keys/ApiKey.ts"
import { ApiKeys } from "../../../src/tenants/auth/keys/ApiKeys.ts"
import { ApiKeyStore } from "../../../src/tenants/auth/keys/ApiKeyStore.ts"
import { type Caller, hostCaller } from "../../../src/tenants/auth/Caller.ts"
import { ApiKeyCache } from "../../../src/tenants/auth/keys/ApiKeyCache.ts"
import { GuardrailPatch, NewGuardrail } from "../../../src/tenants/guardrails/Guardrail.ts"
import { Guardrails } from "../../../src/tenants/guardrails/Guardrails.ts"
import { GuardrailStore } from "../../../src/tenants/guardrails/GuardrailStore.ts"
import { MemoryJournal, memoryTransaction } from "../../../src/memory/MemoryJournal.ts"
import { Audit } from "../../../src/engine/observability/audit/Audit.ts"
import { AuditLog } from "../../../src/engine/observability/audit/AuditLog.ts"
import { AccountId, KeyHash, UserId, defaultWorkspaceId } from "../../../src/values/ids/Ids.ts"
import { toInvalidRequest } from "../../../src/values/errors/toInvalidRequest.ts"
import { Workspaces } from "../../../src/tenants/workspaces/Workspaces.ts"
import { memoryApiKeyStore } from "../../../src/memory/memoryApiKeyStore.ts"
import { memoryAuditLog } from "../../../src/memory/memoryAuditLog.ts"
import { memoryGuardrailStore } from "../../../src/memory/memoryGuardrailStore.ts"
import { memoryLedgerStore } from "../../../src/memory/memoryLedgerStore.ts"
import { memorySpendCounters } from "../../../src/memory/memorySpendCounters.ts"
import { memoryWorkspaceStore } from "../../../src/memory/memoryWorkspaceStore.ts"

const stores = Layer.mergeAll(
  memoryApiKeyStore,
  memoryTransaction,
  memoryAuditLog,
  memoryGuardrailStore,
  memoryWorkspaceStore
).pipe(Layer.provide(MemoryJournal.layer))

const provideWorld = Effect.provide(
  Guardrails.layer.pipe(
    Layer.provideMerge(ApiKeys.layer),
    Layer.provideMerge(Workspaces.layer),
    Layer.provide([
      ApiKeyCache.layer.pipe(Layer.provide(stores)),
      memoryLedgerStore.pipe(
        Layer.provideMerge(memorySpendCounters),
        Layer.provide(MemoryJournal.layer)
      ),
      Digest.layerWebCrypto
    ]),
    Layer.provideMerge(Audit.layer),
    Layer.provideMerge(stores)
  )
)

const manager: Caller = { ...hostCaller, kind: "management", user: UserId.make("boss") }
const stranger: Caller = { ...manager, account: AccountId.make("other") }
const hash = (digit: string) => KeyHash.make(digit.repeat(64))
const all = { offset: 0, limit: 50 }
const defaultId = "ffffffff-0000-4000-8000-000000000000"

const putKey = (digit: string, account = hostCaller.account) =>
  ApiKeyStore.use((keys) =>
    keys.put(
      ApiKey.make(
        { account, workspace: defaultWorkspaceId, kind: "organization" },
        { secret_hash: hash(digit), label: `sk-${digit}...` },
        "2026-11-21T00:00:00.000Z",
        { name: `key ${digit}` }
      )
    )
  )

/** The action and the target of each entry, oldest first. */
const listAuditedChanges = AuditLog.use((log) =>
  Effect.map(log.list(hostCaller.account, all), ({ rows }) =>
    rows.map(({ action, target }) => [action, target]).toReversed()
  )
)

const getProblem = <A, E>(effect: Effect.Effect<A, E>) =>
  Effect.map(Effect.flip(effect), (error) => Object.assign({}, error))

describe("Guardrails", () => {
  it.effect("creates a guardrail in the default workspace, with the given fields only", () =>
    Effect.gen(function* () {
      const guardrails = yield* Guardrails
      yield* TestClock.setTime(Date.UTC(2026, 0, 2))
      const made = yield* guardrails.create(manager, { name: "new", allowed_models: ["a/b"] })
      assert.deepInclude(made, {
        name: "new",
        workspace_id: defaultWorkspaceId,
        allowed_models: ["a/b"],
        ignored_models: null,
        limit_usd: null,
        include_byok_in_budgets: false,
        created_at: "2026-01-02T00:00:00.000Z",
        updated_at: "2026-01-02T00:00:00.000Z"
      })
      assert.deepStrictEqual(yield* guardrails.get(manager, made.id), made)
      assert.deepStrictEqual((yield* guardrails.list(manager, {}, all)).rows, [made])
      assert.deepStrictEqual(yield* guardrails.listEffective(manager), [])
    }).pipe(provideWorld)
  )

  it.effect("updates given fields, clears null ones and keeps the rest", () =>
    Effect.gen(function* () {
      const guardrails = yield* Guardrails
      const before = yield* guardrails.create(manager, {
        name: "new",
        description: "of mine",
        allowed_models: ["a/b"],
        enforce_zdr: true
      })
      yield* TestClock.adjust(5_000)
      const after = yield* guardrails.update(manager, before.id, {
        name: "renamed",
        allowed_models: null
      })
      assert.deepStrictEqual(after, {
        ...before,
        name: "renamed",
        allowed_models: null,
        updated_at: "1970-01-01T00:00:05.000Z"
      })
      assert.deepStrictEqual(yield* guardrails.get(manager, before.id), after)
    }).pipe(provideWorld)
  )

  it.effect("applies enforce_zdr to every author that is not excepted", () =>
    Effect.gen(function* () {
      const guardrails = yield* Guardrails
      const { id } = yield* guardrails.create(manager, { name: "new", enforce_zdr_openai: false })
      const after = yield* guardrails.update(manager, id, {
        enforce_zdr: true,
        enforce_zdr_google: false
      })
      assert.deepInclude(after, {
        enforce_zdr: true,
        enforce_zdr_openai: null,
        enforce_zdr_google: false
      })
    }).pipe(provideWorld)
  )

  it.effect("validates a limit together with its interval", () =>
    Effect.gen(function* () {
      const { create, update } = yield* Guardrails
      const name = "new"
      for (const [config, path] of [
        [{ limit_usd: 5 }, "reset_interval"],
        [{ reset_interval: "daily" }, "limit_usd"],
        [{ limit_usd: null, reset_interval: "daily" }, "limit_usd"]
      ] as const) {
        const problem = yield* getProblem(create(manager, { name, ...config }))
        assert.deepInclude(problem, { path: [path] })
      }
      const forEver = yield* create(manager, { name, limit_usd: 5, reset_interval: null })
      assert.deepInclude(forEver, { limit_usd: 5, reset_interval: null })
      const { id } = yield* create(manager, { name, limit_usd: 5, reset_interval: "daily" })
      const raised = yield* update(manager, id, { limit_usd: 7 })
      assert.deepInclude(raised, { limit_usd: 7, reset_interval: "daily" })
      const problem = yield* getProblem(
        update(manager, id, { name: "half", limit_usd: null, reset_interval: "weekly" })
      )
      assert.deepInclude(problem, { path: ["limit_usd"] })
      assert.deepInclude(yield* (yield* Guardrails).get(manager, id), raised)
      const cleared = yield* update(manager, id, { limit_usd: null })
      assert.deepInclude(cleared, { limit_usd: null, reset_interval: null })
    }).pipe(provideWorld)
  )

  it.effect("creates the default guardrail of a workspace on its first write only", () =>
    Effect.gen(function* () {
      const guardrails = yield* Guardrails
      const workspaces = yield* Workspaces
      const { default_guardrail_id } = yield* workspaces.get(manager, "default")
      assert.strictEqual(default_guardrail_id, defaultId)
      assert.deepInclude(yield* getProblem(guardrails.get(manager, defaultId)), {
        _tag: "ResourceNotFound"
      })
      const made = yield* guardrails.update(manager, defaultId, { enforce_zdr: true })
      assert.deepInclude(made, {
        id: defaultId,
        name: `Workspace ${defaultWorkspaceId} Default`,
        workspace_id: defaultWorkspaceId,
        enforce_zdr: true
      })
      assert.deepStrictEqual(yield* guardrails.listEffective(manager), [made])
      const again = yield* guardrails.update(manager, defaultId, { allowed_models: ["a/b"] })
      assert.deepInclude(again, { enforce_zdr: true, allowed_models: ["a/b"] })
      yield* guardrails.remove(manager, defaultId)
      assert.deepStrictEqual(yield* guardrails.listEffective(manager), [])
    }).pipe(provideWorld)
  )

  it.effect("creates none for an unknown workspace, nor when the first write is rejected", () =>
    Effect.gen(function* () {
      const guardrails = yield* Guardrails
      const workspaces = yield* Workspaces
      // A slug may look like the id of a workspace.
      const decoy = "11111111-0000-4000-8000-000000000000"
      yield* workspaces.create(manager, { name: "decoy", slug: decoy })
      for (const id of [crypto.randomUUID(), "eeeeeeee-0000-4000-8000-000000000000", "nonsense"]) {
        const problem = yield* getProblem(guardrails.update(manager, id, { name: "new" }))
        assert.deepInclude(problem, { _tag: "ResourceNotFound", resource: "guardrail", id })
      }
      const problem = yield* getProblem(guardrails.update(manager, defaultId, { limit_usd: 1 }))
      assert.deepInclude(problem, { _tag: "InvalidRequest" })
      assert.deepInclude(yield* getProblem(guardrails.get(manager, defaultId)), {
        _tag: "ResourceNotFound"
      })
    }).pipe(provideWorld)
  )

  it.effect("neither shows guardrails to another account nor lets it change them", () =>
    Effect.gen(function* () {
      const guardrails = yield* Guardrails
      const { id } = yield* guardrails.create(manager, { name: "mine" })
      yield* putKey("a")
      yield* putKey("b", stranger.account)
      for (const attempt of [
        guardrails.get(stranger, id),
        guardrails.update(stranger, id, { name: "theirs" }),
        guardrails.remove(stranger, id),
        guardrails.assignKeys(stranger, id, [hash("b")]),
        guardrails.assignMembers(stranger, id, ["user"]),
        guardrails.unassign(stranger, id, "key", [hash("a")]),
        guardrails.listKeyAssignments(stranger, id, all),
        guardrails.listMemberAssignments(stranger, id, all)
      ]) {
        const problem = yield* Effect.flip(Effect.asVoid(attempt))
        assert.strictEqual(problem._tag, "ResourceNotFound")
      }
      const theirs = yield* getProblem(guardrails.assignKeys(manager, id, [hash("a"), hash("b")]))
      assert.deepInclude(theirs, { path: ["key_hashes", 1], problem: "there is no such key" })
      assert.strictEqual((yield* guardrails.listKeyAssignments(manager, undefined, all)).total, 0)
      assert.deepStrictEqual((yield* guardrails.list(stranger, {}, all)).rows, [])
    }).pipe(provideWorld)
  )

  it.effect(
    "lists assignments with the names of their keys and assigners, without a name for a deleted key",
    () =>
      Effect.gen(function* () {
        const guardrails = yield* Guardrails
        const { id } = yield* guardrails.create(manager, { name: "new" })
        yield* putKey("a")
        assert.strictEqual(yield* guardrails.assignKeys(manager, id, [hash("a"), hash("a")]), 1)
        assert.strictEqual(yield* guardrails.assignKeys(manager, id, [hash("a")]), 0)
        yield* guardrails.assignMembers(hostCaller, id, ["user"])
        const { rows } = yield* guardrails.listKeyAssignments(manager, id, all)
        assert.lengthOf(rows, 1)
        const { id: _, ...assignment } = rows[0]!
        assert.deepStrictEqual(assignment, {
          guardrail_id: id,
          key_hash: hash("a"),
          key_name: "key a",
          key_label: "sk-a...",
          assigned_by: "boss",
          created_at: "1970-01-01T00:00:00.000Z"
        })
        yield* putKey("a", stranger.account)
        const [gone] = (yield* guardrails.listKeyAssignments(manager, undefined, all)).rows
        assert.deepInclude(gone, { key_hash: hash("a"), key_name: "", key_label: "" })
        const [member] = (yield* guardrails.listMemberAssignments(manager, undefined, all)).rows
        assert.deepInclude(member, {
          guardrail_id: id,
          user_id: "user",
          organization_id: hostCaller.account,
          assigned_by: null
        })
      }).pipe(provideWorld)
  )

  it.effect("applies the default guardrail, the key's and the member's, each once", () =>
    Effect.gen(function* () {
      const guardrails = yield* Guardrails
      const caller: Caller = {
        ...hostCaller,
        kind: "member",
        user: UserId.make("user"),
        keyHash: hash("a")
      }
      yield* putKey("a")
      const namesOf = Effect.suspend(() =>
        Effect.map(guardrails.listEffective(caller), (effective) =>
          effective.map(({ name }) => name)
        )
      )
      const ofKey = yield* guardrails.create(manager, { name: "of the key" })
      const ofMember = yield* guardrails.create(manager, { name: "of the member" })
      yield* guardrails.update(manager, defaultId, { name: "of the workspace" })
      yield* guardrails.assignKeys(manager, ofKey.id, [hash("a")])
      yield* guardrails.assignMembers(manager, ofMember.id, ["user"])
      assert.deepStrictEqual(yield* namesOf, ["of the workspace", "of the key", "of the member"])
      yield* guardrails.assignMembers(manager, ofKey.id, ["user"])
      assert.deepStrictEqual(yield* namesOf, ["of the workspace", "of the key"])
      yield* guardrails.assignKeys(manager, defaultId, [hash("a")])
      yield* guardrails.assignMembers(manager, defaultId, ["user"])
      assert.deepStrictEqual(yield* namesOf, ["of the workspace"])
    }).pipe(provideWorld)
  )

  it.effect("records the guardrail that a key gave up, and only actual removals", () =>
    Effect.gen(function* () {
      const guardrails = yield* Guardrails
      const store = yield* GuardrailStore
      for (const digit of ["a", "b"]) yield* putKey(digit)
      const { id: one } = yield* guardrails.create(manager, { name: "one" })
      const { id: two } = yield* guardrails.create(manager, { name: "two" })
      const assigned = (kind: "key" | "member") =>
        Effect.map(
          store.listAssignments(hostCaller.account, kind, undefined, all),
          ({ rows }) => rows
        )
      yield* guardrails.assignKeys(manager, one, [hash("a")])
      const [ofOne] = yield* assigned("key")
      yield* guardrails.assignKeys(manager, two, [hash("a"), hash("b")])
      const ofTwo = yield* assigned("key")
      yield* guardrails.unassign(manager, two, "key", [hash("c"), hash("b"), hash("b")])
      yield* guardrails.assignMembers(manager, one, ["user"])
      const members = yield* assigned("member")
      yield* guardrails.unassign(manager, two, "member", ["user"])
      yield* guardrails.unassign(manager, one, "member", ["nobody", "user"])
      const { rows } = yield* AuditLog.use((log) => log.list(hostCaller.account, all))
      assert.deepStrictEqual(
        rows
          .slice(0, 5)
          .map(({ action, after, before, target }) => [action, target, before, after]),
        [
          ["guardrail.members.unassign", one, members, undefined],
          ["guardrail.members.assign", one, [], members],
          ["guardrail.keys.unassign", two, ofTwo.slice(1), undefined],
          ["guardrail.keys.assign", two, [ofOne], ofTwo],
          ["guardrail.keys.assign", one, [], [ofOne]]
        ]
      )
    }).pipe(provideWorld)
  )

  it.effect("does not record a change without effect, or update the time of the last change", () =>
    Effect.gen(function* () {
      const guardrails = yield* Guardrails
      const made = yield* guardrails.create(manager, { name: "new", allowed_models: ["a/b"] })
      yield* TestClock.adjust(1_000)
      for (const patch of [{}, { name: "new", allowed_models: ["a/b"], limit_usd: null }]) {
        assert.deepStrictEqual(yield* guardrails.update(manager, made.id, patch), made)
      }
      assert.deepStrictEqual(yield* listAuditedChanges, [["guardrail.create", made.id]])
    }).pipe(provideWorld)
  )

  it.effect("records every change with an effect in the audit log", () =>
    Effect.gen(function* () {
      const guardrails = yield* Guardrails
      yield* putKey("a")
      const { id } = yield* guardrails.create(manager, { name: "new" })
      yield* guardrails.update(manager, id, { name: "renamed" })
      yield* guardrails.assignKeys(manager, id, [hash("a")])
      yield* guardrails.assignKeys(manager, id, [hash("a")])
      yield* guardrails.assignMembers(manager, id, ["user"])
      yield* guardrails.unassign(manager, id, "key", [hash("a")])
      yield* guardrails.unassign(manager, id, "key", [hash("a")])
      yield* guardrails.unassign(manager, id, "member", ["user"])
      yield* guardrails.remove(manager, id)
      yield* Effect.flip(guardrails.remove(manager, id))
      assert.deepStrictEqual(
        yield* listAuditedChanges,
        [
          "create",
          "update",
          "keys.assign",
          "members.assign",
          "keys.unassign",
          "members.unassign",
          "delete"
        ].map((action) => [`guardrail.${action}`, id])
      )
    }).pipe(provideWorld)
  )
})

const expectInvalid = (schema: typeof NewGuardrail | typeof GuardrailPatch, body: object) =>
  Effect.map(Effect.flip(Schema.decodeUnknownEffect(schema)({ name: "new", ...body })), (error) => {
    const { path, problem } = toInvalidRequest(error)
    return `${path.join(".")}: ${problem}`
  })

describe("the input of a guardrail", () => {
  it.effect.each([
    [{ content_filters: [{ action: "hide", pattern: "x" }] }, /^content_filters.0.action: /],
    [{ content_filters: [{ action: "block", pattern: "" }] }, /^content_filters.0.pattern: /],
    [
      { content_filters: [{ action: "block", pattern: "x".repeat(100_001) }] },
      /^content_filters.0.pattern: /
    ],
    [
      { content_filter_builtins: [{ action: "block", slug: "e-mail" }] },
      /^content_filter_builtins.0.slug: /
    ],
    [{ allowed_models: [] }, /^allowed_models: .*null allows all/],
    [{ allowed_providers: [] }, /^allowed_providers: .*null allows all/],
    [{ allowed_data_regions: [] }, /^allowed_data_regions: .*null allows all/],
    [{ allowed_data_regions: ["mars"] }, /^allowed_data_regions.0: /],
    [{ allowed_models: ["a/b", "~a/b-latest"] }, /^allowed_models.1: .*without alias/],
    [{ ignored_models: ["a/b:nitro"] }, /^ignored_models.0: .*dynamic suffix/],
    [{ limit_usd: 0 }, /^limit_usd: /],
    [{ reset_interval: "hourly" }, /^reset_interval: /],
    [{ name: "" }, /^name: /],
    [{ include_byok_in_budgets: null }, /^include_byok_in_budgets: /]
  ] as const)("rejects a rule that would have no effect: %j", ([body, said]) =>
    Effect.gen(function* () {
      assert.match(yield* expectInvalid(NewGuardrail, body), said)
      assert.match(yield* expectInvalid(GuardrailPatch, body), said)
    })
  )

  it.effect("may clear filters", () =>
    Effect.gen(function* () {
      const body = { name: "new", content_filters: null, content_filter_builtins: [] }
      assert.deepStrictEqual(yield* Schema.decodeUnknownEffect(NewGuardrail)(body), body)
    })
  )
})
