import * as Exit from "effect/Exit"
import { assert, describe, it } from "vitest"
import * as Guardrail from "../../../src/tenants/guardrails/Guardrail.ts"
import { getCalendar } from "../../../src/engine/ledger/Calendar.ts"
import { defaults } from "../../../src/instance/Settings.ts"
import { resolveLimit } from "../../../src/engine/ledger/Limit.ts"
import { maxTextCharacters } from "../../../src/engine/observability/generations/truncateGeneration.ts"
import * as Preferences from "../../../src/routing/Preferences.ts"
import { type FinishedRequest, toGeneration } from "../../../src/routing/record/toGeneration.ts"
import { maxBounds } from "../../../src/routing/record/toGenerationBounds.ts"
import { toConstraints } from "../../../src/routing/restrictions/RestrictionLoader.ts"
import type { PlannedRoute } from "../../../src/routing/RouteQuery.ts"
import { GenerationId } from "../../../src/values/ids/GenerationId.ts"
import { defaultAccountId, defaultWorkspaceId } from "../../../src/values/ids/Ids.ts"
import * as NanoUsd from "../../../src/values/usage/NanoUsd.ts"
import { makePricedCandidate } from "../makeCandidate.ts"

const finished: FinishedRequest<string> = {
  id: GenerationId.make("gen"),
  caller: { account: defaultAccountId, workspace: defaultWorkspaceId, kind: "member" },
  operation: "chat",
  requestedModel: "a/b",
  models: ["a/b"],
  preferences: Preferences.none,
  labels: {},
  isStreamed: false,
  startedAt: 0,
  latencyMillis: 1,
  planned: undefined,
  configuration: 1,
  attempts: [],
  exit: Exit.succeed({ value: "answer", candidate: makePricedCandidate("one", 1), attempts: [] }),
  toAnswerFacts: () => ({ model: undefined })
}

const planned: PlannedRoute = {
  plan: { ordered: [], strategy: "order", rejected: [], demoted: [] },
  models: ["a/b"],
  configuration: 1,
  seed: 1,
  health: { at: 0, endpoints: {} },
  limits: [],
  constraints: [],
  requirements: { parameters: [], inputTokens: 0, outputTokens: 0 }
}

const recordPreferences = (preferences: Preferences.Preferences) =>
  toGeneration({ ...finished, preferences }).preferences

it("truncates the model name that an upstream reports, for log lines and spans too", () => {
  const { model, upstreamModel } = toGeneration({
    ...finished,
    toAnswerFacts: () => ({ model: "m".repeat(1_000_000) })
  })
  assert.strictEqual(upstreamModel?.length, maxTextCharacters)
  assert.strictEqual(model, "a/b")
})

it("says that a conversation moved after a fallback, and not after a second attempt", () => {
  const [one, two] = [makePricedCandidate("one", 1), makePricedCandidate("two", 1)]
  const affinity = { by: "opener", key: 1 } as const
  const placed: PlannedRoute = {
    ...planned,
    affinity,
    plan: { ...planned.plan, ordered: [one, two], affinity: { did: "placed", home: one.id } }
  }
  const attempt = { candidate: two, chargedAt: 0, startedAt: 0, latencyMillis: 1 }
  const record = (hedge: { readonly hedge?: true }) =>
    toGeneration({
      ...finished,
      planned: placed,
      attempts: [{ ...attempt, ...hedge }],
      exit: Exit.succeed({ value: "answer", candidate: two, attempts: [] })
    }).affinity?.did
  assert.strictEqual(record({}), "moved")
  assert.strictEqual(record({ hedge: true }), "placed")
})

it("has no field for preferences, fallbacks and bounds that a request does not have", () => {
  assert.deepStrictEqual(Object.keys(toGeneration({ ...finished, planned })), [
    "id",
    "account",
    "workspace",
    "operation",
    "startedAt",
    "latencyMillis",
    "requestedModel",
    "attempts",
    "configuration",
    "rejected",
    "demoted",
    "model",
    "provider",
    "strategy"
  ])
})

describe("the preferences in a record", () => {
  it("are those that the request set", () => {
    assert.deepStrictEqual(
      recordPreferences({
        order: ["one", "two"],
        only: [],
        ignore: null,
        allow_fallbacks: false,
        zdr: null,
        max_price: { prompt: "0.5" },
        sort: { by: "price", partition: null },
        preferred_max_latency: { p50: null }
      }),
      {
        order: ["one", "two"],
        allow_fallbacks: false,
        max_price: { prompt: "0.5" },
        sort: { by: "price" }
      }
    )
  })

  it("are absent when all of them are null or empty", () => {
    assert.isUndefined(recordPreferences({ only: [], zdr: null, max_price: {}, sort: {} }))
  })

  it("have nothing that a video passes to its provider", () => {
    const provider = { zdr: true, options: { one: { token: "secret" } } }
    assert.deepStrictEqual(recordPreferences(provider), { zdr: true })
  })
})

const recordCanary = (models: ReadonlyArray<string>) =>
  toGeneration({ ...finished, models, planned: { ...planned, models } })

describe("the models in a record", () => {
  it("are those of a request with fallbacks, as it named them and resolved", () => {
    const models = ["~a/latest", "a/c:floor"] as const
    const { requestedModel, ...generation } = toGeneration({
      ...finished,
      requestedModel: models[0],
      models,
      planned: { ...planned, models: ["a/b", "a/c"] }
    })
    assert.strictEqual(requestedModel, "~a/latest")
    assert.deepStrictEqual(generation.models, models)
    assert.deepStrictEqual(generation.resolvedModels, ["a/b", "a/c"])
  })

  it("are not repeated when they are ids already", () => {
    const models = ["a/b", "a/c"] as const
    const generation = toGeneration({ ...finished, models, planned: { ...planned, models } })
    assert.deepStrictEqual(generation.models, models)
    assert.isFalse(Object.hasOwn(generation, "resolvedModels"))
  })

  it("are those of the caller in a canary, too", () => {
    assert.isFalse(Object.hasOwn(recordCanary(["a/trial", "a/b"]), "models"))
    assert.deepStrictEqual(recordCanary(["a/trial", "a/b", "a/c"]).models, ["a/b", "a/c"])
  })
})

describe("the bounds in a record", () => {
  const unrestricted = Guardrail.make("Production", {
    id: "g-1",
    workspace: defaultWorkspaceId,
    at: "2026-01-01T00:00:00.000Z"
  })
  const guardrail: Guardrail.Guardrail = {
    ...unrestricted,
    limit_usd: 5,
    reset_interval: "monthly",
    allowed_providers: ["one"],
    ignored_providers: ["two"],
    enforce_zdr: true
  }
  const limit = resolveLimit(getCalendar(defaults), 0, {
    kind: "guardrail",
    id: JSON.stringify(["account", "g-1", "key:secret-hash"]),
    interval: "monthly",
    cap: NanoUsd.make(5n),
    countsByok: false
  })
  const recordBounds = (guardrails: ReadonlyArray<Guardrail.Guardrail>, limits = [limit]) => {
    const constraints = toConstraints({ id: defaultAccountId }, limits, guardrails)
    return toGeneration({ ...finished, planned: { ...planned, limits, constraints } })
  }

  it("are names and kinds, without values and ids", () => {
    const { constraints, limits } = recordBounds([guardrail])
    assert.deepStrictEqual(constraints, [
      { source: "account", rules: ["unknown_price"] },
      { source: "guardrail Production", rules: ["only", "ignore", "zdr", "spend_limit"] }
    ])
    assert.deepStrictEqual(limits, [{ kind: "guardrail", interval: "monthly" }])
  })

  it("leave out a guardrail that restricts nothing", () => {
    const generation = recordBounds([unrestricted], [])
    assert.isFalse(Object.hasOwn(generation, "constraints"))
    assert.isFalse(Object.hasOwn(generation, "limits"))
  })

  it("are bounded in number and length", () => {
    const guardrails = Array.from({ length: 200 }, (_, at) => ({
      ...guardrail,
      name: `${at}`.repeat(2_000)
    }))
    const { constraints = [], limits = [] } = recordBounds(
      guardrails,
      guardrails.map(() => limit)
    )
    assert.strictEqual(constraints.length, maxBounds)
    assert.strictEqual(limits.length, maxBounds)
    assert.isAtMost(Math.max(...constraints.map(({ source }) => source.length)), maxTextCharacters)
  })

  it("are made once for requests that have them in common", () => {
    const [one, two] = [recordBounds([guardrail]), recordBounds([guardrail])]
    assert.notStrictEqual(one, two)
    assert.deepStrictEqual(one, two)
    const shared = { ...planned, constraints: toConstraints({ id: defaultAccountId }, [limit], []) }
    assert.strictEqual(
      toGeneration({ ...finished, planned: shared }).constraints,
      toGeneration({ ...finished, planned: shared }).constraints
    )
  })
})
