/** Plans a request: loads everything a plan is made of, and the target of each candidate. */
import * as Arr from "effect/Array"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Random from "effect/Random"
import { Credentials } from "../byok/Credentials.ts"
import { Catalog } from "../catalog/Catalog.ts"
import type { ResolvedModel } from "../catalog/Configuration.ts"
import { Health } from "../health/Health.ts"
import { redactDefects } from "../secrets/redactDefects.ts"
import { Settings } from "../Settings.ts"
import { omitUndefined } from "../values/omitUndefined.ts"
import { CurrentWorkspaceDefaults } from "../workspaces/WorkspaceDefaults.ts"
import { WorkspaceStore } from "../workspaces/WorkspaceStore.ts"
import { findByokExclusions } from "./restrictions/ByokExclusions.ts"
import { CandidateCache } from "./CandidateCache.ts"
import { plan } from "./plan/plan.ts"
import * as Preferences from "./Preferences.ts"
import { type CandidateTarget, buildTargets } from "./CandidateTarget.ts"
import type { CapabilityTraits, PlannedRoute, RouteQuery, PlanReplay } from "./RouteQuery.ts"
import type { RequestedModel } from "./Requirements.ts"
import { RestrictionLoader } from "./restrictions/RestrictionLoader.ts"
import { ModelNotFound, WrongOperation } from "./RoutingErrors.ts"
import { RoutingRules } from "./RoutingRules.ts"

/** A planned request with everything its attempts need. */
export interface PreparedRoute<Capability extends CapabilityTraits> {
  readonly query: RouteQuery<Capability>
  readonly planned: PlannedRoute
  /** By the id of the candidate. */
  readonly targets: ReadonlyMap<string, CandidateTarget<Capability>>
}

/** Plans requests. */
export class RoutePreparer extends Context.Service<
  RoutePreparer,
  {
    /** A `replay` with the seed and the health of a plan repeats that plan. */
    readonly prepare: <Capability extends CapabilityTraits>(
      query: RouteQuery<Capability>,
      replay?: PlanReplay
    ) => Effect.Effect<PreparedRoute<Capability>, ModelNotFound | WrongOperation>
  }
>()("@signalbox/core/routing/RoutePreparer") {
  static readonly layer = Layer.effect(
    RoutePreparer,
    Effect.gen(function* () {
      const catalog = yield* Catalog
      const credentials = yield* Credentials
      const health = yield* Health
      const workspaces = yield* WorkspaceStore
      const candidates = yield* CandidateCache
      const restrictions = yield* RestrictionLoader
      const { rankMinSamples } = yield* Settings
      const defaults = yield* CurrentWorkspaceDefaults
      const { strategy } = yield* RoutingRules

      /** The workspace's default sort, loaded only for requests without an order of their own. */
      const findDefaultSort = <Capability extends CapabilityTraits>({
        caller: { account, workspace },
        preferences
      }: RouteQuery<Capability>): Effect.Effect<Preferences.ProviderSort | undefined> =>
        Preferences.hasOrder(preferences)
          ? Effect.undefined
          : Effect.map(
              workspaces.findById(account, workspace),
              (found) => found?.default_provider_sort ?? defaults.defaultProviderSort
            )

      return {
        prepare: Effect.fnUntraced(function* <Capability extends CapabilityTraits>(
          query: RouteQuery<Capability>,
          replay: PlanReplay = {}
        ) {
          const configuration = catalog.current()
          const unknownModel = query.models.find(
            (slug) => configuration.resolve(slug) === undefined
          )
          if (unknownModel !== undefined) return yield* new ModelNotFound({ model: unknownModel })
          const resolved = Arr.map(query.models, (slug) => configuration.resolve(slug)!)
          const usableCredentials = yield* credentials.listUsable(
            query.caller,
            resolved.map(({ model }) => model),
            configuration
          )
          const targets = buildTargets(query, candidates.get, {
            configuration,
            resolved,
            usableCredentials
          })
          const hasEndpoints = resolved.some(({ model }) => model.endpoints.length > 0)
          if (targets.size === 0 && hasEndpoints) {
            return yield* new WrongOperation({ model: query.models[0], operation: query.operation })
          }
          const { constraints, limits } = yield* restrictions.load(query.caller)
          const seed = replay.seed ?? (yield* Random.nextInt)
          const snapshot = replay.health ?? (yield* health.snapshot(targets.keys()))
          const models = Arr.map(resolved, toRequestedModel)
          const defaultSort = yield* findDefaultSort(query)
          const byokExclusions =
            usableCredentials.length === 0 ? undefined : findByokExclusions(usableCredentials)
          const planned: PlannedRoute = {
            plan: plan({
              models,
              candidates: Array.from(targets.values(), ({ candidate }) => candidate),
              preferences: query.preferences,
              constraints,
              requirements: query.requirements,
              health: snapshot,
              minSamples: rankMinSamples,
              seed,
              strategy,
              ...omitUndefined({ defaultSort, pin: query.pin, byokExclusions })
            }),
            models: models.map(({ id }) => id),
            configuration: configuration.version,
            seed,
            health: snapshot,
            limits
          }
          if (planned.plan.strategyDefect !== undefined) {
            yield* Effect.logError(
              `The strategy "${strategy.name}" failed, so the cheapest candidate goes first`,
              redactDefects(Cause.die(planned.plan.strategyDefect))
            )
          }
          return { query, planned, targets }
        })
      }
    })
  )
}

const toRequestedModel = ({ model, variant }: ResolvedModel): RequestedModel => ({
  id: model.id,
  ...(variant === undefined ? undefined : { variant })
})
