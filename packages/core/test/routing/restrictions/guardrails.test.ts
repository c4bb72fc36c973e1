/** Guardrails and the default sort of a workspace, as they affect requests. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { type Caller, hostCaller } from "../../../src/tenants/auth/Caller.ts"
import { toErrorResponse } from "../../../src/api/errors/toErrorResponse.ts"
import type { GuardrailPatch } from "../../../src/tenants/guardrails/Guardrail.ts"
import { Guardrails } from "../../../src/tenants/guardrails/Guardrails.ts"
import { Catalog } from "../../../src/engine/catalog/Catalog.ts"
import { toExplanation } from "../../../src/routing/Explanation.ts"
import type { Preferences } from "../../../src/routing/Preferences.ts"
import type { RouteQuery } from "../../../src/routing/RouteQuery.ts"
import { Routing } from "../../../src/routing/Routing.ts"
import { NoEndpoints } from "../../../src/routing/RoutingErrors.ts"
import type { DecisionCapability } from "../../../src/engine/upstreams/DecisionCapability.ts"
import { AccountId, UserId, WorkspaceId, defaultWorkspaceId } from "../../../src/values/ids/Ids.ts"
import { Workspaces } from "../../../src/tenants/workspaces/Workspaces.ts"
import {
  toTokenPrice,
  fakeDecisionUpstream,
  makeWorld
} from "../../domains/decisions/decisionFixtures.ts"
import { makePricedCandidate } from "../makeCandidate.ts"
import { makePlan, summarizePlan } from "../plan/makePlan.ts"
import { makeMeasuredReport, makeSnapshot } from "../makeReport.ts"

const unused = () => Effect.die("no provider is called")

const inWorld = Effect.provide(
  makeWorld({
    upstreams: ["one", "two", "three"].map((slug) => fakeDecisionUpstream(slug, unused)),
    endpoints: [
      { provider: "one", price: toTokenPrice(1), region: "us" },
      { provider: "two", price: toTokenPrice(2), region: "eu" },
      { provider: "three", price: toTokenPrice(3) }
    ]
  })
)

const member: Caller = { ...hostCaller, kind: "member", user: UserId.make("user") }

const query = (
  caller: Caller,
  preferences: Preferences = {},
  model = "a/b"
): RouteQuery<DecisionCapability> => ({
  caller,
  models: [model],
  operation: "decisions",
  capability: ({ decisions }) => decisions,
  preferences,
  requirements: { parameters: [], inputTokens: 10, outputTokens: 0 }
})

const plannedFor = (caller: Caller, preferences: Preferences = { sort: "price" }, model = "a/b") =>
  Routing.use((routing) => routing.plan(query(caller, preferences, model)))

const servedFor = (caller: Caller) =>
  Effect.map(plannedFor(caller), ({ plan: { ordered } }) =>
    ordered.map(({ endpoint }) => endpoint.tag)
  )

/** Writes the default guardrail of a workspace. */
const byDefault = Effect.fnUntraced(function* (patch: GuardrailPatch) {
  const { default_guardrail_id } = yield* Workspaces.use((each) =>
    each.get(hostCaller, defaultWorkspaceId)
  )
  return yield* Guardrails.use((each) => each.update(hostCaller, default_guardrail_id, patch))
})

const sortBy = (sort: "price" | "latency" | "throughput" | "exacto" | null) =>
  Workspaces.use((each) => each.update(hostCaller, "default", { default_provider_sort: sort }))

const strategyFor = (preferences: Preferences, model?: string, caller = member) =>
  Effect.map(plannedFor(caller, preferences, model), (planned) => toExplanation(planned).strategy)

describe("Routing under guardrails", () => {
  it.effect("serves a member within the default guardrail and its own", () =>
    Effect.gen(function* () {
      const guardrails = yield* Guardrails
      assert.deepStrictEqual(yield* servedFor(member), ["one", "two", "three"])
      yield* byDefault({ ignored_providers: ["one"] })
      assert.deepStrictEqual(yield* servedFor(member), ["two", "three"])
      const { id } = yield* guardrails.create(member, {
        name: "in Europe",
        allowed_data_regions: ["europe"]
      })
      assert.deepStrictEqual(yield* servedFor(member), ["two", "three"])
      yield* guardrails.assignMembers(member, id, ["user"])
      assert.deepStrictEqual(yield* servedFor(member), ["two"])
      assert.deepStrictEqual(yield* servedFor(hostCaller), ["two", "three"])
      yield* guardrails.unassign(member, id, "member", ["user"])
      assert.deepStrictEqual(yield* servedFor(member), ["two", "three"])
    }).pipe(inWorld)
  )

  it.effect("does not affect other workspaces and accounts", () =>
    Effect.gen(function* () {
      yield* byDefault({ allowed_providers: ["one"] })
      const elsewhere: Caller = { ...member, workspace: WorkspaceId.make("elsewhere") }
      const stranger: Caller = { ...member, account: AccountId.make("other") }
      assert.deepStrictEqual(yield* servedFor(member), ["one"])
      assert.deepStrictEqual(yield* servedFor(elsewhere), ["one", "two", "three"])
      assert.deepStrictEqual(yield* servedFor(stranger), ["one", "two", "three"])
    }).pipe(inWorld)
  )

  it.effect("reports the source of each rejection, and fails with counts per rule", () =>
    Effect.gen(function* () {
      yield* byDefault({
        name: "house rules",
        allowed_models: ["other/model"],
        allowed_data_regions: ["us"]
      })
      const { plan } = yield* plannedFor(member)
      assert.deepStrictEqual(plan.ordered, [])
      assert.deepStrictEqual(
        plan.rejected.map(({ candidate, reasons }) => [
          candidate.endpoint.tag,
          ...reasons.map(({ found, rule, source, wanted }) => [rule, source, wanted, found])
        ]),
        [
          ["one", ["allowed_models", "guardrail house rules", "one of other/model", "a/b"]],
          [
            "two",
            ["allowed_models", "guardrail house rules", "one of other/model", "a/b"],
            ["data_region", "guardrail house rules", "a place in us", "eu"]
          ],
          [
            "three",
            ["allowed_models", "guardrail house rules", "one of other/model", "a/b"],
            ["data_region", "guardrail house rules", "a place in us", "unknown place"]
          ]
        ]
      )
      const { message, metadata, status } = toErrorResponse(
        new NoEndpoints({ models: ["a/b"], rejected: plan.rejected })
      )
      assert.strictEqual(status, 404)
      assert.include(message, "allowed_models (3), data_region (2)")
      assert.include(message, "allowed_models of the guardrail house rules")
      assert.deepNestedInclude(metadata, {
        "availability.excluded_by": ["allowed_providers", "data_region"],
        "availability.code": "no_endpoints"
      })
    }).pipe(inWorld)
  )

  it.effect("reports a constraint when only the region excludes endpoints", () =>
    Effect.gen(function* () {
      yield* byDefault({ allowed_data_regions: ["us"], ignored_providers: ["one"] })
      const { plan } = yield* plannedFor(member, { only: ["two"] })
      const { metadata } = toErrorResponse(
        new NoEndpoints({ models: ["a/b"], rejected: plan.rejected })
      )
      assert.deepNestedInclude(metadata, { "availability.code": "constraint_filtered" })
    }).pipe(inWorld)
  )

  it.effect("restricts the list of models in the same way", () =>
    Effect.gen(function* () {
      const routing = yield* Routing
      const [model] = (yield* Catalog).current().models
      assert.isTrue((yield* routing.getModelFilter(member))(model!))
      yield* byDefault({ ignored_models: ["a/b"] })
      assert.isFalse((yield* routing.getModelFilter(member))(model!))
    }).pipe(inWorld)
  )
})

describe("the default sort of a workspace", () => {
  it.effect("applies to requests without a sort and an order", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* strategyFor({}), "price-weighted")
      yield* sortBy("latency")
      for (const open of [{}, { sort: null }, { order: [] }, { sort: { by: null } }]) {
        assert.strictEqual(yield* strategyFor(open), "sort:latency")
      }
      yield* sortBy(null)
      assert.strictEqual(yield* strategyFor({}), "price-weighted")
    }).pipe(inWorld)
  )

  it.effect("yields to the sort, the order and the variant of a request", () =>
    Effect.gen(function* () {
      yield* sortBy("latency")
      assert.strictEqual(yield* strategyFor({ sort: "price" }), "sort:price")
      assert.strictEqual(yield* strategyFor({ sort: { by: "exacto" } }), "sort:exacto")
      assert.strictEqual(yield* strategyFor({ order: ["two"] }), "order")
      assert.strictEqual(yield* strategyFor({}, "a/b:nitro"), "sort:throughput")
      assert.strictEqual(yield* strategyFor({}, "a/b:floor"), "sort:price")
      assert.strictEqual(yield* strategyFor({}, "a/b:exacto"), "sort:exacto")
      const { plan } = yield* plannedFor(member, { order: ["two"] })
      assert.deepStrictEqual(
        plan.ordered.map(({ endpoint }) => endpoint.tag),
        ["two", "one", "three"]
      )
    }).pipe(inWorld)
  )

  it("does not apply to a request with an order, not even to unlisted endpoints", () => {
    const three = [
      makePricedCandidate("one", 1),
      makePricedCandidate("two", 2),
      makePricedCandidate("three", 3)
    ]
    const health = makeSnapshot({
      one: makeMeasuredReport({ latency: 900 }),
      three: makeMeasuredReport({ latency: 100 })
    })
    const rest = { health, defaultSort: "latency" } as const
    assert.deepStrictEqual(summarizePlan(makePlan(three, { order: ["two"] }, rest)), {
      ...summarizePlan(makePlan(three, { order: ["two"] }, { health })),
      strategy: "order",
      ordered: ["two", "one", "three"]
    })
    assert.deepInclude(summarizePlan(makePlan(three, {}, rest)), {
      strategy: "sort:latency",
      ordered: ["three", "two", "one"]
    })
  })

  it.effect("sorts every endpoint in that order, without a draw", () =>
    Effect.gen(function* () {
      yield* sortBy("price")
      for (let seed = 0; seed < 20; seed++) {
        const { plan } = yield* Routing.use((routing) => routing.plan(query(member), { seed }))
        assert.deepStrictEqual(
          plan.ordered.map(({ endpoint }) => endpoint.tag),
          ["one", "two", "three"]
        )
      }
    }).pipe(inWorld)
  )

  it.effect("is that of the caller's workspace", () =>
    Effect.gen(function* () {
      const workspaces = yield* Workspaces
      const elsewhere = WorkspaceId.make("elsewhere")
      yield* workspaces.create(hostCaller, {
        name: "decoy",
        slug: elsewhere,
        default_provider_sort: "latency"
      })
      const caller: Caller = { ...member, workspace: elsewhere }
      assert.strictEqual(yield* strategyFor({}, "a/b", caller), "price-weighted")
      const { id } = yield* workspaces.create(hostCaller, {
        name: "mine",
        slug: "mine",
        default_provider_sort: "throughput"
      })
      const mine: Caller = { ...member, workspace: WorkspaceId.make(id) }
      assert.strictEqual(yield* strategyFor({}, "a/b", mine), "sort:throughput")
    }).pipe(inWorld)
  )
})
