import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import * as fc from "fast-check"
import type { Caller } from "../../../src/tenants/auth/Caller.ts"
import { Ledger } from "../../../src/engine/ledger/Ledger.ts"
import * as Limit from "../../../src/engine/ledger/Limit.ts"
import { toConstraints } from "../../../src/routing/restrictions/RestrictionLoader.ts"
import { selectLimits } from "../../../src/routing/restrictions/selectLimits.ts"
import { withCredential } from "../../../src/routing/Candidate.ts"
import { SpendLimits } from "../../../src/routing/restrictions/SpendLimits.ts"
import {
  AccountId,
  KeyHash,
  UserId,
  WorkspaceId,
  defaultAccountId,
  defaultWorkspaceId
} from "../../../src/values/ids/Ids.ts"
import { make as nano } from "../../../src/values/usage/NanoUsd.ts"
import { layerObservabilityPreferences } from "../../../src/tenants/workspaces/WorkspaceDefaults.ts"
import { ObservabilityPreferences } from "../../../src/engine/observability/broadcast/ObservabilityPreferences.ts"
import { make as workspaceOf } from "../../../src/tenants/workspaces/Workspace.ts"
import { WorkspaceStore } from "../../../src/tenants/workspaces/WorkspaceStore.ts"
import type { Guardrail } from "../../../src/tenants/guardrails/Guardrail.ts"
import { makeGuardrail } from "../../tenants/guardrails/makeGuardrail.ts"
import { fakeDecisionUpstream, makeWorld } from "../../domains/decisions/decisionFixtures.ts"
import { makePricedCandidate } from "../makeCandidate.ts"
import { makePlan } from "../plan/makePlan.ts"

const at = "2026-01-02T03:04:05.678Z"
const withServices = Effect.provide(
  makeWorld({ upstreams: [fakeDecisionUpstream("one", () => Effect.die("no provider is called"))] })
)

const limit = { cap: nano(10n), reset: null, includesByok: false }
const user = (name: string, rest: Partial<Caller> = {}): Caller => ({
  account: defaultAccountId,
  workspace: defaultWorkspaceId,
  kind: "member",
  user: UserId.make(name),
  limit,
  ...rest
})

const findLimitId = Effect.fnUntraced(function* (caller: Caller) {
  const limits = yield* SpendLimits.use((each) => each.listLimits(caller, []))
  return limits.map(Limit.toCounterKey).join()
})

const isOfBudget = ({ kind }: Limit.Limit): boolean => kind === "budget"

describe("SpendLimits", () => {
  it.effect("count separately for each user of a host without keys", () =>
    Effect.gen(function* () {
      const elsewhere = WorkspaceId.make("elsewhere")
      const callers = [
        user("ada"),
        user("bob"),
        user("ada", { workspace: elsewhere }),
        user("ada", { account: AccountId.make("other") }),
        user("ada", { keyHash: KeyHash.make("a".repeat(64)) }),
        { account: defaultAccountId, workspace: defaultWorkspaceId, kind: "member", limit },
        { account: defaultAccountId, workspace: elsewhere, kind: "member", limit }
      ] as const satisfies ReadonlyArray<Caller>
      const ids = yield* Effect.forEach(callers, findLimitId)
      assert.strictEqual(new Set(ids).size, callers.length)
      assert.strictEqual(yield* findLimitId(user("ada")), ids[0])
    }).pipe(withServices)
  )

  it.effect("many callers of many budgets of external users took gigabytes", () =>
    Effect.gen(function* () {
      const { scopedBudgets } = yield* WorkspaceStore
      yield* scopedBudgets.insert(defaultAccountId, {
        id: "of-eve",
        workspace_id: defaultWorkspaceId,
        name: "external user eve",
        scope: { external_user: "eve" },
        limit_usd: 1,
        reset_interval: "daily",
        soft: false,
        include_byok_in_budgets: false,
        created_at: at,
        updated_at: at
      })
      const { listLimits } = yield* SpendLimits
      const ofAda = (yield* listLimits(user("ada"), [], "eve")).find(isOfBudget)
      const ofBob = (yield* listLimits(user("bob"), [], "eve")).find(isOfBudget)
      assert.isDefined(ofAda)
      assert.strictEqual(ofAda, ofBob)
    }).pipe(withServices)
  )

  it.effect("give each user of a host its own limit", () =>
    Effect.gen(function* () {
      const ledger = yield* Ledger
      const limits = yield* SpendLimits
      for (const name of ["ada", "bob"]) {
        const under = yield* limits.listLimits(user(name), [])
        yield* ledger.reserve(defaultAccountId, under, nano(10n))
        const { available } = yield* Effect.flip(ledger.reserve(defaultAccountId, under, nano(1n)))
        assert.strictEqual(available, 0n)
      }
    }).pipe(withServices)
  )

  it.effect("keep the counters of the first values of a window until it ends", () =>
    Effect.gen(function* () {
      const { scopedBudgets } = yield* WorkspaceStore
      const { listLimits } = yield* SpendLimits
      const ada: Caller = {
        account: defaultAccountId,
        workspace: defaultWorkspaceId,
        kind: "member",
        tags: { customer: "acme" }
      }
      yield* scopedBudgets.insert(defaultAccountId, {
        id: "each",
        workspace_id: ada.workspace,
        name: "each user",
        scope: { tag: { customer: "*" }, external_user: "*" },
        limit_usd: 5,
        reset_interval: "daily",
        soft: false,
        include_byok_in_budgets: false,
        created_at: at,
        updated_at: at
      })
      const list = (externalUser?: string, caller = ada) =>
        Effect.map(listLimits(caller, [], externalUser), (limits) => limits.map(({ name }) => name))
      const others = ["each user, other values"]
      assert.deepStrictEqual(yield* list("bob"), ["each user, customer=acme, external user bob"])
      assert.deepStrictEqual(yield* list("eve"), others)
      assert.deepStrictEqual(yield* list("bob"), ["each user, customer=acme, external user bob"])
      assert.deepStrictEqual(yield* list(undefined), [])
      assert.deepStrictEqual(yield* list("bob", { ...ada, tags: {} }), [])
      const [limit] = yield* listLimits(ada, [], "bob")
      assert.strictEqual((yield* listLimits(ada, [], "bob"))[0], limit)
      assert.strictEqual(limit?.scope?.externalUser, "bob")
      yield* TestClock.adjust("1 day")
      assert.deepStrictEqual(yield* list("eve"), ["each user, customer=acme, external user eve"])
      assert.deepStrictEqual(yield* list("bob"), others)
    }).pipe(
      Effect.provide(
        makeWorld({
          settings: { maxBudgetValues: 1 },
          upstreams: [fakeDecisionUpstream("one", () => Effect.die("no provider is called"))]
        })
      )
    )
  )

  it.effect("are the same object until something changes them", () =>
    Effect.gen(function* () {
      const ledger = yield* Ledger
      const workspaces = yield* WorkspaceStore
      const { listLimits } = yield* SpendLimits
      const ada = user("ada", { limit: { ...limit, reset: "daily" } })
      const guardrails = [makeGuardrail({ limit_usd: 5 })]
      const budget = {
        id: crypto.randomUUID(),
        workspace_id: ada.workspace,
        limit_usd: 5,
        reset_interval: "daily",
        created_at: at,
        updated_at: at
      } as const
      let kinds: ReadonlyArray<string> = []
      let before: ReadonlyArray<Limit.Limit> = []
      const isKept = Effect.fnUntraced(function* (effective: ReadonlyArray<Guardrail>) {
        const limits = yield* listLimits(ada, effective)
        const wasKept = limits === before
        assert.strictEqual(yield* listLimits(ada, effective), limits)
        kinds = limits.map(({ cap, kind }) => `${kind} ${cap}`)
        before = limits
        return wasKept
      })
      assert.isFalse(yield* isKept([]))
      assert.deepStrictEqual(kinds, ["key 10"])
      yield* ledger.grant(defaultAccountId, nano(7n))
      assert.isFalse(yield* isKept([]))
      assert.deepStrictEqual(kinds, ["credits 7", "key 10"])
      yield* ledger.grant(defaultAccountId, nano(1n))
      assert.isFalse(yield* isKept(guardrails))
      assert.deepStrictEqual(kinds, ["credits 8", "key 10", "guardrail 5000000000"])
      assert.isTrue(yield* isKept(guardrails))
      yield* workspaces.putBudget(defaultAccountId, budget)
      assert.isFalse(yield* isKept(guardrails))
      assert.include(kinds, "workspace 5000000000")
      yield* workspaces.putBudget(defaultAccountId, { ...budget, limit_usd: 6 })
      assert.isFalse(yield* isKept(guardrails))
      assert.include(kinds, "workspace 6000000000")
      const windows = before.map(({ window }) => window)
      yield* TestClock.adjust("1 day")
      assert.isFalse(yield* isKept(guardrails))
      assert.notDeepEqual(
        before.map(({ window }) => window),
        windows
      )
      yield* workspaces.removeBudget(defaultAccountId, ada.workspace, "daily")
      assert.isFalse(yield* isKept([]))
      assert.deepStrictEqual(kinds, ["credits 8", "key 10"])
    }).pipe(withServices)
  )

  it.effect("do not confuse the slug of a workspace with the id of another", () =>
    Effect.gen(function* () {
      const store = yield* WorkspaceStore
      const lab = WorkspaceId.make("lab")
      const named = workspaceOf(
        { name: "Lab", slug: "lab" },
        { id: crypto.randomUUID(), at, by: "" }
      )
      yield* store.insert(defaultAccountId, {
        ...named,
        include_byok_in_budgets: true,
        is_observability_broadcast_enabled: true
      })
      yield* store.putBudget(defaultAccountId, {
        id: crypto.randomUUID(),
        workspace_id: lab,
        limit_usd: 5,
        reset_interval: "daily",
        created_at: at,
        updated_at: at
      })
      const limits = yield* SpendLimits.use((each) =>
        each.listLimits(user("ada", { workspace: lab }), [])
      )
      assert.deepStrictEqual(
        limits.map(({ countsByok, kind }) => [kind, countsByok]),
        [
          ["key", false],
          ["workspace", false]
        ]
      )
      const preference = yield* Effect.provide(
        ObservabilityPreferences.use((wishes) => wishes.get(defaultAccountId, lab)),
        layerObservabilityPreferences
      )
      assert.deepStrictEqual(preference, { broadcast: false })
    }).pipe(withServices)
  )
})

const anyLimit = fc
  .record({
    kind: fc.constantFrom("credits", "key", "workspace", "guardrail"),
    countsByok: fc.boolean(),
    cap: fc.constantFrom(nano(0n), nano(1_000n))
  })
  .map((cap) => Limit.makeLifetimeLimit({ id: "one", ...cap }))

describe("a plan under any limits", () => {
  it("leaves out exactly the candidates that serving would reject for an unknown price", () => {
    fc.assert(
      fc.property(
        fc.array(anyLimit, { maxLength: 4 }),
        fc.constantFrom(undefined, 1),
        fc.record({ zdr: fc.boolean() }, { requiredKeys: [] }),
        (limits, usd, rest) => {
          const shared = makePricedCandidate("one", usd)
          const own = withCredential(shared, {
            id: "key",
            isFallback: false,
            sortOrder: 0,
            declaredZdr: true
          })
          const account = { id: defaultAccountId, ...rest }
          const { rejected } = makePlan(
            [shared, own],
            {},
            {
              constraints: toConstraints(account, limits, [])
            }
          )
          for (const candidate of [shared, own]) {
            const isLeftOut = rejected.some(
              (each) =>
                each.candidate === candidate &&
                each.reasons.some(({ rule }) => rule === "unknown_price")
            )
            const isCounted = selectLimits(candidate, limits).length > 0
            assert.strictEqual(isLeftOut, isCounted && usd === undefined)
          }
        }
      )
    )
  })
})
