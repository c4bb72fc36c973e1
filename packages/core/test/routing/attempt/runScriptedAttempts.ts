import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { hostCaller } from "../../../src/auth/Caller.ts"
import { Health } from "../../../src/health/Health.ts"
import { emptyHealthSnapshot } from "../../../src/health/HealthSnapshot.ts"
import { ModelUsage } from "../../../src/health/ModelUsage.ts"
import type { Reservation } from "../../../src/ledger/Ledger.ts"
import type { LimitExceeded } from "../../../src/ledger/LedgerErrors.ts"
import { AttemptEngine } from "../../../src/routing/attempt/AttemptEngine.ts"
import { CostReserver } from "../../../src/routing/attempt/CostReserver.ts"
import type { Candidate } from "../../../src/routing/Candidate.ts"
import type { AttemptSuccess, UsageReporter } from "../../../src/routing/Operation.ts"
import type { PreparedRoute } from "../../../src/routing/RoutePreparer.ts"
import type { RouteObserver } from "../../../src/routing/RouteQuery.ts"
import type { UpstreamFailure } from "../../../src/upstreams/failures/UpstreamFailure.ts"
import * as Settings from "../../../src/Settings.ts"

export interface ScriptedAttempts<A, R> {
  readonly candidates: ReadonlyArray<Candidate>
  readonly run: (
    candidate: Candidate,
    reportUsage: UsageReporter,
    commit: Effect.Effect<void>
  ) => Effect.Effect<AttemptSuccess<A>, UpstreamFailure, R>
  /** Endpoint tags whose probe another request has claimed. */
  readonly claimed?: ReadonlyArray<string>
  /** Default: nothing is reserved. */
  readonly reserve?:
    | ((candidate: Candidate) => Effect.Effect<Reservation | undefined, LimitExceeded>)
    | undefined
  readonly observer?: Partial<RouteObserver>
  readonly deadlineAt: number
  readonly settings?: Partial<Settings.SettingsShape>
}

/** Runs the attempt engine on scripted attempts; health, money and notifications are faked. */
export const runScriptedAttempts = Effect.fnUntraced(function* <A, R>({
  candidates,
  claimed = [],
  deadlineAt,
  observer,
  reserve,
  run,
  settings = {}
}: ScriptedAttempts<A, R>) {
  const claimedIds = new Set(
    candidates.filter(({ endpoint }) => claimed.includes(endpoint.tag)).map(({ id }) => id)
  )
  const context = yield* Layer.build(
    AttemptEngine.layer.pipe(
      Layer.provide([
        Layer.mock(Health, {
          claim: (id) => !claimedIds.has(id),
          record: () => {},
          snapshot: () => emptyHealthSnapshot
        }),
        Layer.mock(ModelUsage, { record: () => {}, getWeeklyTokens: () => 0 }),
        Layer.succeed(CostReserver, {
          reserve: (_, __, { candidate }) => reserve?.(candidate)
        })
      ]),
      Layer.provide(Settings.layer({ maxAttempts: 5, streamTimeoutMillis: 600_000, ...settings }))
    )
  )
  const models = ["a/b"] as const
  const prepared: PreparedRoute<object> = {
    query: {
      caller: hostCaller,
      models,
      operation: "decisions",
      capability: () => ({}),
      preferences: {},
      requirements: { parameters: [], inputTokens: 0, outputTokens: 0 }
    },
    planned: {
      plan: { ordered: candidates, rejected: [], demoted: [], strategy: "scripted" },
      models,
      configuration: 1,
      seed: 0,
      health: { at: 0, endpoints: {} },
      limits: []
    },
    targets: new Map(candidates.map((candidate) => [candidate.id, { candidate, capability: {} }]))
  }
  return yield* Context.get(context, AttemptEngine).run(
    prepared,
    { run: ({ candidate }, reportUsage, commit) => run(candidate, reportUsage, commit) },
    { onPlan: () => {}, onAttempt: () => {}, ...observer },
    deadlineAt
  )
})
