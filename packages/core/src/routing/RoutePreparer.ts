/** Plans a request: everything a plan is made of, looked up, and who each of its candidates is. */
import * as Arr from "effect/Array"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import { Credentials } from "../byok/Credentials.ts"
import { Catalog } from "../catalog/Catalog.ts"
import type { ResolvedModel } from "../catalog/Configuration.ts"
import { Health } from "../health/Health.ts"
import { redactDefects } from "../secrets/redactDefects.ts"
import { Settings } from "../Settings.ts"
import { CurrentWorkspaceDefaults } from "../workspaces/WorkspaceDefaults.ts"
import { WorkspaceStore } from "../workspaces/WorkspaceStore.ts"
import { findByokExclusions } from "./restrictions/ByokExclusions.ts"
import { makeCandidateCache } from "./CandidateCache.ts"
import { plan } from "./plan/plan.ts"
import * as Preferences from "./Preferences.ts"
import { type CandidateTarget, buildTargets } from "./CandidateTarget.ts"
import type { CapabilityTraits, PlannedRoute, RouteQuery, PlanReplay } from "./RouteQuery.ts"
import type { RequestedModel } from "./RequestedModel.ts"
import { makeRestrictionLoader } from "./restrictions/RestrictionLoader.ts"
import { ModelNotFound, WrongOperation } from "./RoutingErrors.ts"
import { RoutingRules } from "./RoutingRules.ts"

interface PreparedRoute<Capability> {
  readonly planned: PlannedRoute
  /** By the ids of the candidates. */
  readonly prospects: ReadonlyMap<string, CandidateTarget<Capability>>
}

export const makeRoutePreparer = Effect.gen(function* () {
  const catalog = yield* Catalog
  const credentials = yield* Credentials
  const health = yield* Health
  const workspaces = yield* WorkspaceStore
  const { rankMinSamples } = yield* Settings
  const defaults = yield* CurrentWorkspaceDefaults
  const { strategy } = yield* RoutingRules
  const loadRestrictions = yield* makeRestrictionLoader
  const getCandidates = makeCandidateCache()

  /** What the workspace sorts by; looked up only for requests that leave it open. */
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

  return Effect.fnUntraced(function* <Capability extends CapabilityTraits>(
    query: RouteQuery<Capability>,
    replay: PlanReplay = {}
  ) {
    const configuration = catalog.current()
    const unknownModel = query.models.find((slug) => configuration.resolve(slug) === undefined)
    if (unknownModel !== undefined) return yield* new ModelNotFound({ model: unknownModel })
    const resolved = Arr.map(query.models, (slug) => configuration.resolve(slug)!)
    const usableCredentials = yield* credentials.listUsable(
      query.caller,
      resolved.map(({ model }) => model),
      configuration
    )
    const prospects = buildTargets(query, getCandidates, {
      configuration,
      resolved,
      brought: usableCredentials
    })
    const hasEndpoints = resolved.some(({ model }) => model.endpoints.length > 0)
    if (prospects.size === 0 && hasEndpoints) {
      return yield* new WrongOperation({ model: query.models[0], operation: query.operation })
    }
    const { constraints, limits } = yield* loadRestrictions(query.caller)
    const seed = replay.seed ?? (yield* Random.nextInt)
    const snapshot = replay.health ?? (yield* health.snapshot(prospects.keys()))
    const models = Arr.map(resolved, toRequestedModel)
    const defaultSort = yield* findDefaultSort(query)
    const byokExclusions =
      usableCredentials.length === 0 ? undefined : findByokExclusions(usableCredentials)
    const planned: PlannedRoute = {
      plan: plan({
        models,
        candidates: Array.from(prospects.values(), ({ candidate }) => candidate),
        preferences: query.preferences,
        constraints,
        requirements: query.requirements,
        health: snapshot,
        minSamples: rankMinSamples,
        seed,
        strategy,
        ...(defaultSort === undefined ? undefined : { defaultSort }),
        ...(query.pin === undefined ? undefined : { pin: query.pin }),
        ...(byokExclusions === undefined ? undefined : { byokExclusions })
      }),
      models: models.map(({ id }) => id),
      configuration: configuration.version,
      seed,
      health: snapshot,
      limits
    }
    if (planned.plan.strategyDefect !== undefined) {
      yield* Effect.logError(
        `the strategy "${strategy.name}" broke, so the cheapest goes first`,
        redactDefects(Cause.die(planned.plan.strategyDefect))
      )
    }
    return { planned, prospects } satisfies PreparedRoute<Capability>
  })
})

const toRequestedModel = ({ model, variant }: ResolvedModel): RequestedModel => ({
  id: model.id,
  ...(variant === undefined ? undefined : { variant })
})
