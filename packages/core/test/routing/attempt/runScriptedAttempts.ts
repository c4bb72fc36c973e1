import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Caller, hostCaller } from "../../../src/tenants/auth/Caller.ts"
import { ParallelSlots } from "../../../src/tenants/auth/rateLimits/ParallelSlots.ts"
import { RateLimits } from "../../../src/tenants/auth/rateLimits/RateLimits.ts"
import type { RateLimitStore } from "../../../src/tenants/auth/rateLimits/RateLimitStore.ts"
import { memoryRateLimitStore } from "../../../src/memory/memoryRateLimitStore.ts"
import { ThisProcess } from "../../../src/instance/ThisProcess.ts"
import {
  type RequestQueueOptions,
  resolveRequestQueue
} from "../../../src/routing/attempt/concurrency/RequestQueue.ts"
import { LiveControls } from "../../../src/engine/health/control/LiveControls.ts"
import { ConnectionWaits } from "../../../src/engine/health/ConnectionWaits.ts"
import { Health } from "../../../src/engine/health/Health.ts"
import { emptyHealthSnapshot } from "../../../src/engine/health/HealthSnapshot.ts"
import { ModelUsage } from "../../../src/engine/health/ModelUsage.ts"
import type { Reservation } from "../../../src/engine/ledger/Ledger.ts"
import type { LimitExceeded } from "../../../src/engine/ledger/LedgerErrors.ts"
import { AttemptEngine } from "../../../src/routing/attempt/AttemptEngine.ts"
import { failureRules } from "../../../src/routing/attempt/failureRules.ts"
import type { HedgingOptions } from "../../../src/routing/attempt/hedging/Hedger.ts"
import { CostReserver } from "../../../src/routing/attempt/CostReserver.ts"
import type { Candidate } from "../../../src/routing/Candidate.ts"
import type { Plan } from "../../../src/routing/plan/plan.ts"
import { priceWeighted } from "../../../src/routing/plan/strategies/strategies.ts"
import type { Preferences } from "../../../src/routing/Preferences.ts"
import { RoutingRules } from "../../../src/routing/RoutingRules.ts"
import type {
  AttemptSuccess,
  HedgingTraits,
  UsageReporter
} from "../../../src/routing/RouteWork.ts"
import type { Requirements } from "../../../src/routing/Requirements.ts"
import type { PreparedRoute } from "../../../src/routing/RoutePreparer.ts"
import type { RouteObserver } from "../../../src/routing/RouteQuery.ts"
import type { UpstreamFailure } from "../../../src/engine/upstreams/failures/UpstreamFailure.ts"
import * as Settings from "../../../src/instance/Settings.ts"
import { Deadline } from "../../../src/values/Deadline.ts"
import { SteadyTime } from "../../../src/values/SteadyTime.ts"

export interface ScriptedAttempts<A, R> {
  readonly candidates: ReadonlyArray<Candidate>
  readonly run: (
    candidate: Candidate,
    reportUsage: UsageReporter,
    commit: () => boolean
  ) => Effect.Effect<AttemptSuccess<A>, UpstreamFailure, R>
  /** Endpoint tags whose probe another request has claimed. */
  readonly claimed?: ReadonlyArray<string>
  /** Default: nothing is reserved. */
  readonly reserve?:
    | ((candidate: Candidate) => Effect.Effect<Reservation | undefined, LimitExceeded>)
    | undefined
  readonly observer?: Partial<RouteObserver>
  /** Default: nothing is recorded or counted. */
  readonly health?: Partial<Health["Service"]>
  readonly deadlineAt: number
  readonly settings?: Partial<Settings.SettingsShape>
}

/** Runs the attempt engine on scripted attempts; health, money and notifications are faked. */
export const runScriptedAttempts = Effect.fnUntraced(function* <A, R>({
  candidates,
  claimed = [],
  health,
  reserve,
  settings,
  ...request
}: ScriptedAttempts<A, R>) {
  const claimedIds = new Set(
    candidates.filter(({ endpoint }) => claimed.includes(endpoint.tag)).map(({ id }) => id)
  )
  const engine = yield* makeScriptedEngine({
    health: { claim: (id) => !claimedIds.has(id), ...health },
    reserve,
    settings
  })
  return yield* runRequest(engine, { candidates, ...request })
})

interface ScriptedEngine {
  readonly health?: Partial<Health["Service"]>
  readonly reserve: ScriptedAttempts<never, never>["reserve"]
  readonly settings?: Partial<Settings.SettingsShape> | undefined
  readonly hedging?: HedgingOptions
  readonly requestQueue?: RequestQueueOptions
  /** Default: in memory. */
  readonly rateLimits?: Layer.Layer<RateLimitStore>
}

export const makeScriptedEngine = Effect.fnUntraced(function* ({
  health,
  hedging,
  rateLimits = memoryRateLimitStore,
  requestQueue,
  reserve,
  settings
}: ScriptedEngine) {
  const context = yield* Layer.build(
    AttemptEngine.layer.pipe(
      Layer.provide([
        Layer.mock(Health, {
          connectionWaits: new ConnectionWaits(),
          controls: new LiveControls(),
          trouble: {},
          suspicion: {},
          time: new SteadyTime(yield* Clock.Clock),
          claim: () => true,
          record: () => {},
          begin: () => {},
          end: () => {},
          suspect: () => {},
          endSuspicion: () => {},
          updateDoubt: () => {},
          listTracked: () => [],
          listUnhealthy: () => new Map(),
          listBusy: () => [],
          snapshot: () => emptyHealthSnapshot,
          ...health
        }),
        Layer.succeed(RoutingRules, {
          strategy: priceWeighted,
          failureRules,
          ...(hedging === undefined ? undefined : { hedging }),
          ...(requestQueue === undefined
            ? undefined
            : { requestQueue: resolveRequestQueue(requestQueue) })
        }),
        Layer.mock(ModelUsage, { record: () => {}, getWeeklyTokens: () => 0 }),
        Layer.succeed(CostReserver, {
          reserve: (_, __, { candidate }) => reserve?.(candidate)
        }),
        ParallelSlots.layer.pipe(
          Layer.provide(RateLimits.layer),
          Layer.provide([rateLimits, ThisProcess.layer])
        )
      ]),
      Layer.provide(Settings.layer({ maxAttempts: 5, streamTimeoutMillis: 600_000, ...settings }))
    )
  )
  return Context.get(context, AttemptEngine)
})

/** Runs one request on an engine. */
export const runRequest = <A, R>(
  engine: AttemptEngine["Service"],
  {
    candidates,
    deadlineAt,
    caller = hostCaller,
    demoted = [],
    hedging,
    observer,
    preferences = {},
    requirements,
    run,
    tier
  }: Pick<ScriptedAttempts<A, R>, "candidates" | "deadlineAt" | "observer" | "run"> & {
    readonly caller?: Caller
    readonly demoted?: Plan["demoted"]
    readonly hedging?: HedgingTraits
    readonly preferences?: Preferences
    readonly requirements?: Partial<Requirements>
    readonly tier?: "flex" | "priority"
  }
) => {
  const models = ["a/b"] as const
  const prepared: PreparedRoute<object> = {
    query: {
      caller,
      models,
      operation: "decisions",
      capability: () => ({}),
      preferences,
      requirements: {
        parameters: [],
        inputTokens: 0,
        outputTokens: 0,
        ...(tier === undefined ? undefined : { tier }),
        ...requirements
      }
    },
    planned: {
      plan: { ordered: candidates, rejected: [], demoted, strategy: "scripted" },
      models,
      configuration: 1,
      seed: 0,
      health: { at: 0, endpoints: {} },
      limits: [],
      constraints: [],
      requirements: { parameters: [], inputTokens: 0, outputTokens: 0 }
    },
    targets: new Map(candidates.map((candidate) => [candidate.id, { candidate, capability: {} }]))
  }
  return Effect.flatMap(Clock.Clock, (clock) =>
    engine.run(
      prepared,
      {
        run: ({ candidate }, { commit, reportUsage }) => run(candidate, reportUsage, commit),
        hedging
      },
      { onPlan: () => {}, onAttempt: () => {}, ...observer },
      new Deadline(clock, deadlineAt - clock.currentTimeMillisUnsafe())
    )
  )
}
