/** Plans a request: loads everything a plan is made of, and the target of each candidate. */
import * as Arr from "effect/Array"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { memoize } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Random from "effect/Random"
import { Credentials } from "../tenants/byok/Credentials.ts"
import type { UsableCredential } from "../tenants/byok/UsableCredential.ts"
import { Catalog } from "../engine/catalog/Catalog.ts"
import type { Configuration, ResolvedModel } from "../engine/catalog/Configuration.ts"
import type { Model } from "../engine/catalog/model/Model.ts"
import { Health } from "../engine/health/Health.ts"
import type { HealthSnapshot } from "../engine/health/HealthSnapshot.ts"
import { redactDefects } from "../engine/secrets/redact.ts"
import { ProcessChannel } from "../instance/ProcessChannel.ts"
import { Settings } from "../instance/Settings.ts"
import type { ModelSlug } from "../values/ids/Ids.ts"
import type { OperationName } from "../values/OperationName.ts"
import { isSuccess } from "../values/eager.ts"
import { CurrentWorkspaceDefaults } from "../tenants/workspaces/WorkspaceDefaults.ts"
import { WorkspaceStore } from "../tenants/workspaces/WorkspaceStore.ts"
import { AffinityPins } from "./affinity/AffinityPins.ts"
import { findAffinitySource } from "./affinity/ConversationTraits.ts"
import { findAffinity } from "./affinity/findAffinity.ts"
import type { Candidate } from "./Candidate.ts"
import type { Affinity, NoAffinity } from "./plan/affinity/Affinity.ts"
import { findByokExclusions } from "./restrictions/Constraint.ts"
import { CandidateCache } from "./CandidateCache.ts"
import { plan, type PlanInput } from "./plan/plan.ts"
import * as Preferences from "./Preferences.ts"
import { type CandidateTarget, type CandidateTargets, buildTargets } from "./CandidateTarget.ts"
import type { CapabilityTraits, PlannedRoute, RouteQuery, PlanReplay } from "./RouteQuery.ts"
import { admits, type RequestedModel } from "./Requirements.ts"
import { resolveToolModels } from "./serverTools/resolveToolModels.ts"
import { type CallerRestrictions, RestrictionLoader } from "./restrictions/RestrictionLoader.ts"
import { ModelNotFound, WrongOperation } from "./RoutingErrors.ts"
import { RoutingRules } from "./RoutingRules.ts"
import { makeTargetCache } from "./TargetCache.ts"
import * as Step from "../values/Step.ts"
import { getCurrentRef } from "../values/Pending.ts"

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
    /** Begins when it is called. A `replay` with the seed and the health of a plan repeats that plan. */
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
      const settings = yield* Settings
      const pins = yield* AffinityPins
      const isShared = (yield* ProcessChannel) !== undefined
      const defaults = yield* CurrentWorkspaceDefaults
      const { strategy } = yield* RoutingRules
      const random = yield* Random.Random

      /** The workspace's default sort, loaded only for requests without an order of their own. */
      const findDefaultSort = <Capability extends CapabilityTraits>({
        caller: { account, workspace },
        preferences
      }: RouteQuery<Capability>): Effect.Effect<Preferences.ProviderSort | undefined> =>
        Preferences.hasOrder(preferences)
          ? Effect.undefined
          : Step.map(
              workspaces.findById(account, workspace),
              (found) => found?.default_provider_sort ?? defaults.defaultProviderSort
            )

      const build = <Capability extends CapabilityTraits>(
        query: RouteQuery<Capability>,
        configuration: Configuration,
        models: ReadonlyArray<Model>,
        usableCredentials: ReadonlyArray<UsableCredential>,
        isAdmitted?: (candidate: Candidate) => boolean
      ): CandidateTargets<Capability> =>
        buildTargets(query, candidates.get, {
          configuration,
          models,
          usableCredentials,
          isAdmitted
        })

      const getSharedTargets = makeTargetCache(build)

      const getTargets = <Capability extends CapabilityTraits>(
        query: RouteQuery<Capability>,
        configuration: Configuration,
        { models, requested, routers }: RequestedModels,
        usableCredentials: ReadonlyArray<UsableCredential>
      ): CandidateTargets<Capability> => {
        if (routers !== undefined) {
          return build(query, configuration, models, usableCredentials, (candidate) =>
            requested.some((model) => admits(model, candidate))
          )
        }
        const isShared =
          isSingle(models) && query.allowedIds === undefined && query.priceCandidate === undefined
        return isShared
          ? getSharedTargets(query, configuration, models, usableCredentials)
          : build(query, configuration, models, usableCredentials)
      }

      /** A replay has its own, as it has its seed and its health. */
      const findPlanAffinity = <Capability extends CapabilityTraits>(
        query: RouteQuery<Capability>,
        { affinity, health, seed }: PlanReplay,
        model: string,
        candidates: ReadonlyArray<Candidate>
      ): Affinity | NoAffinity | undefined => {
        const { conversation } = query
        const isReplayed = affinity !== undefined || seed !== undefined || health !== undefined
        return conversation !== undefined && isReplayed
          ? (affinity ?? { by: findAffinitySource(conversation) })
          : findAffinity(query, model, candidates, pins, settings, isShared)
      }

      const takeSnapshot = ({ byId, candidates }: CandidateTargets<unknown>): HealthSnapshot => {
        const snapshot = health.snapshot(byId.keys(), strategy.readsLoad)
        const controls = health.controls.select(candidates)
        return controls === undefined ? snapshot : { ...snapshot, controls }
      }

      const planRoute = <Capability extends CapabilityTraits>(
        query: RouteQuery<Capability>,
        replay: PlanReplay,
        configuration: Configuration,
        { ids, requested, routers }: RequestedModels,
        targets: CandidateTargets<Capability>,
        { constraints, limits }: CallerRestrictions,
        defaultSort: Preferences.ProviderSort | undefined,
        usableCredentials: ReadonlyArray<UsableCredential>
      ): Effect.Effect<PreparedRoute<Capability>> => {
        const { chargedTo, pin, preferences } = query
        const requirements = resolveToolModels(query.requirements, configuration)
        const seed = replay.seed ?? query.seed ?? drawSeed()
        const snapshot = replay.health ?? takeSnapshot(targets)
        const affinity = findPlanAffinity(query, replay, requested[0].id, targets.candidates)
        const input: PlanInput = {
          models: requested,
          candidates: targets.candidates,
          preferences,
          constraints,
          requirements,
          health: snapshot,
          minSamples: settings.rankMinSamples,
          seed,
          strategy,
          defaultSort,
          pin,
          byokExclusions: findByokExclusions(usableCredentials),
          affinity: affinity?.key === undefined ? undefined : affinity
        }
        const planned: { -readonly [K in keyof PlannedRoute]: PlannedRoute[K] } = {
          plan: targets.plans?.plan(input) ?? plan(input),
          models: ids,
          configuration: configuration.version,
          seed,
          health: snapshot,
          requirements,
          limits: chargedTo ?? limits,
          constraints
        }
        if (affinity !== undefined) planned.affinity = affinity
        if (routers !== undefined) planned.routers = routers
        const prepared = { query, planned, targets: targets.byId }
        const { strategyDefect } = planned.plan
        return strategyDefect === undefined
          ? Effect.succeed(prepared)
          : Effect.as(
              Effect.logError(
                `The strategy "${strategy.name}" failed, so the cheapest candidate goes first`,
                redactDefects(Cause.die(strategyDefect))
              ),
              prepared
            )
      }

      const loadRestrictions = <Capability extends CapabilityTraits>(
        query: RouteQuery<Capability>,
        replay: PlanReplay,
        configuration: Configuration,
        models: RequestedModels,
        usable: ReadonlyArray<UsableCredential>
      ): Effect.Effect<PreparedRoute<Capability>, WrongOperation> => {
        const targets = getTargets(query, configuration, models, usable)
        if (targets.byId.size === 0 && models.models.some(hasEndpoints)) {
          return Effect.fail(toWrongOperation(query, configuration, models.models))
        }
        const loading = restrictions.load(query.caller, query.externalUser)
        const sorting = isSuccess(loading) ? findDefaultSort(query) : undefined
        return isSuccess(loading) && sorting !== undefined && isSuccess(sorting)
          ? planRoute(
              query,
              replay,
              configuration,
              models,
              targets,
              loading.value,
              sorting.value,
              usable
            )
          : Effect.flatMap(loading, (loaded) =>
              Effect.flatMap(sorting ?? findDefaultSort(query), (sort) =>
                planRoute(query, replay, configuration, models, targets, loaded, sort, usable)
              )
            )
      }

      const drawSeed = (): number => (getCurrentRef(Random.Random) ?? random).nextIntUnsafe()

      return {
        prepare: (query, replay = noReplay) => {
          const { caller } = query
          const configuration = catalog.current()
          const models = resolveModels(configuration, query.models)
          if (typeof models === "string") return Effect.fail(new ModelNotFound({ model: models }))
          if (models.routers !== undefined && !routedOperations.has(query.operation)) {
            const [{ id: model }] = models.routers
            return Effect.fail(new WrongOperation({ model, operation: query.operation }))
          }
          const listing =
            query.chargedTo === undefined
              ? credentials.listUsable(caller, models.models, configuration)
              : noCredentials
          return isSuccess(listing)
            ? loadRestrictions(query, replay, configuration, models, listing.value)
            : Effect.flatMap(listing, (usable) =>
                loadRestrictions(query, replay, configuration, models, usable)
              )
        }
      }
    })
  )
}

/** The requested model and its fallbacks, resolved, in order. */
interface RequestedModels {
  readonly models: Arr.NonEmptyReadonlyArray<Model>
  readonly requested: Arr.NonEmptyReadonlyArray<RequestedModel>
  readonly ids: ReadonlyArray<ModelSlug>
  /** Those of `requested` that stand for others; absent: none. */
  readonly routers?: Arr.NonEmptyReadonlyArray<RequestedModel>
}

/** Vectors, scores and films of two models cannot be compared. */
const routedOperations: ReadonlySet<string> = new Set<OperationName>(["chat", "decisions"])

const toRequestedModels = (resolved: Arr.NonEmptyReadonlyArray<ResolvedModel>): RequestedModels => {
  const requested = Arr.map(resolved, ({ model: { id, router }, variant }): RequestedModel => ({
    id,
    ...(variant === undefined ? undefined : { variant }),
    ...(router === undefined ? undefined : { router })
  }))
  const routers = requested.filter(({ router }) => router !== undefined)
  return {
    models: Arr.flatMap(resolved, ({ model }) => model.router?.models ?? [model]),
    requested,
    ids: resolved.map(({ model }) => model.id),
    ...(Arr.isReadonlyArrayNonEmpty(routers) ? { routers } : undefined)
  }
}

/** Memoized, because most requests name one model, and a configuration resolves its name to the same object. */
const toSingleModel = memoize((resolved: ResolvedModel) => toRequestedModels([resolved]))

/** The first name of no model, if there is one. */
const resolveModels = (
  { resolve }: Configuration,
  slugs: Arr.NonEmptyReadonlyArray<string>
): RequestedModels | string => {
  const primary = resolve(slugs[0])
  if (primary === undefined) return slugs[0]
  if (slugs.length === 1) return toSingleModel(primary)
  const resolved: Arr.NonEmptyArray<ResolvedModel> = [primary]
  for (const slug of slugs.slice(1)) {
    const fallback = resolve(slug)
    if (fallback === undefined) return slug
    resolved.push(fallback)
  }
  return toRequestedModels(resolved)
}

const isSingle = <A>(list: readonly [A, ...ReadonlyArray<A>]): list is readonly [A] =>
  list.length === 1

/** The error of a model that serves no such request, with the outputs of its card where these alone say so. */
const toWrongOperation = <Capability extends CapabilityTraits>(
  { capability, models: [name], operation }: RouteQuery<Capability>,
  { upstreams }: Configuration,
  [model]: Arr.NonEmptyReadonlyArray<Model>
): WrongOperation => {
  const isPossible = model.endpoints.some(({ provider }) => {
    const upstream = upstreams.get(provider)
    return upstream !== undefined && capability(upstream) !== undefined
  })
  return new WrongOperation({
    model: name,
    operation,
    ...(isPossible ? { outputs: model.card.architecture.output_modalities } : undefined)
  })
}

const noReplay: PlanReplay = {}

const noCredentials = Effect.succeed<ReadonlyArray<UsableCredential>>([])

const hasEndpoints = ({ endpoints }: Model): boolean => endpoints.length > 0
