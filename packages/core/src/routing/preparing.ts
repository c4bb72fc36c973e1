/** Plans a request: everything a plan is made of, looked up, and who each of its candidates is. */
import * as Arr from "effect/Array"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import { Credentials } from "../byok/Credentials.ts"
import { Catalog } from "../catalog/Catalog.ts"
import type { Resolved } from "../catalog/Configuration.ts"
import { Health } from "../health/Health.ts"
import { redactDefects } from "../secrets/redactDefects.ts"
import { Settings } from "../Settings.ts"
import { DefaultsOfWorkspaces } from "../workspaces/WorkspaceDefaults.ts"
import { WorkspaceStore } from "../workspaces/WorkspaceStore.ts"
import { barredBy } from "./Barred.ts"
import { remembered } from "./candidatesOf.ts"
import { plan } from "./plan.ts"
import * as Preferences from "./Preferences.ts"
import { type Prospect, prospectsOf } from "./Prospect.ts"
import type { Offer, Planned, Query, Replay } from "./Query.ts"
import type { RequestedModel } from "./RequestedModel.ts"
import { restricting } from "./restricting.ts"
import { ModelNotFound, WrongOperation } from "./RoutingErrors.ts"
import { RoutingRules } from "./RoutingRules.ts"

interface Prepared<Capability> {
  readonly planned: Planned
  /** By the ids of the candidates. */
  readonly prospects: ReadonlyMap<string, Prospect<Capability>>
}

export const preparing = Effect.gen(function* () {
  const catalog = yield* Catalog
  const credentials = yield* Credentials
  const health = yield* Health
  const workspaces = yield* WorkspaceStore
  const { rankMinSamples } = yield* Settings
  const defaults = yield* DefaultsOfWorkspaces
  const { strategy } = yield* RoutingRules
  const restrictionsOn = yield* restricting
  const candidatesOf = remembered()

  /** What the workspace sorts by; looked up only for requests that leave it open. */
  const defaultSortOf = <Capability extends Offer>({
    caller: { account, workspace },
    preferences
  }: Query<Capability>): Effect.Effect<Preferences.Sort | undefined> =>
    Preferences.isOrdering(preferences)
      ? Effect.undefined
      : Effect.map(
          workspaces.findById(account, workspace),
          (found) => found?.default_provider_sort ?? defaults.defaultProviderSort
        )

  return Effect.fnUntraced(function* <Capability extends Offer>(
    query: Query<Capability>,
    replay: Replay = {}
  ) {
    const configuration = catalog.current()
    const stranger = query.models.find((slug) => configuration.resolve(slug) === undefined)
    if (stranger !== undefined) return yield* new ModelNotFound({ model: stranger })
    const resolved = Arr.map(query.models, (slug) => configuration.resolve(slug)!)
    const brought = yield* credentials.usable(
      query.caller,
      resolved.map(({ model }) => model),
      configuration
    )
    const prospects = prospectsOf(query, candidatesOf, { configuration, resolved, brought })
    const isServed = resolved.some(({ model }) => model.endpoints.length > 0)
    if (prospects.size === 0 && isServed) {
      return yield* new WrongOperation({ model: query.models[0], operation: query.operation })
    }
    const { constraints, limits } = yield* restrictionsOn(query.caller)
    const seed = replay.seed ?? (yield* Random.nextInt)
    const snapshot = replay.health ?? (yield* health.snapshot(prospects.keys()))
    const models = Arr.map(resolved, requested)
    const defaultSort = yield* defaultSortOf(query)
    const barred = brought.length === 0 ? undefined : barredBy(brought)
    const planned: Planned = {
      plan: plan({
        models,
        candidates: Array.from(prospects.values(), ({ candidate }) => candidate),
        preferences: query.preferences,
        constraints,
        demand: query.demand,
        health: snapshot,
        minSamples: rankMinSamples,
        seed,
        strategy,
        ...(defaultSort === undefined ? undefined : { defaultSort }),
        ...(query.pin === undefined ? undefined : { pin: query.pin }),
        ...(barred === undefined ? undefined : { barred })
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
    return { planned, prospects } satisfies Prepared<Capability>
  })
})

const requested = ({ model, variant }: Resolved): RequestedModel => ({
  id: model.id,
  ...(variant === undefined ? undefined : { variant })
})
