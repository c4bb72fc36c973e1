/** Caches the targets of a model, which the requests with the same credentials have in common. */
import type { UsableCredential } from "../tenants/byok/UsableCredential.ts"
import type { Configuration } from "../engine/catalog/Configuration.ts"
import type { Model } from "../engine/catalog/model/Model.ts"
import type { CandidateTargets } from "./CandidateTarget.ts"
import { PlanMemory } from "./plan/PlanMemory.ts"
import type { CapabilityTraits, RouteQuery } from "./RouteQuery.ts"

type GetCapability = RouteQuery<CapabilityTraits>["capability"]
type ByCredentials = WeakMap<ReadonlyArray<UsableCredential>, CandidateTargets<CapabilityTraits>>
type ByModel = WeakMap<Model, ByCredentials>
type ByCapability = WeakMap<GetCapability, ByModel>

type BuildTargets = <Capability extends CapabilityTraits>(
  query: RouteQuery<Capability>,
  configuration: Configuration,
  models: readonly [Model],
  usableCredentials: ReadonlyArray<UsableCredential>
) => CandidateTargets<Capability>

/**
 * Builds the targets of a model, of a configuration, for a capability and with the same list of credentials once: all of
 * them are immutable.
 */
export const makeTargetCache = (build: BuildTargets): BuildTargets => {
  const byConfiguration = new WeakMap<Configuration, ByCapability>()
  return <Capability extends CapabilityTraits>(
    query: RouteQuery<Capability>,
    configuration: Configuration,
    models: readonly [Model],
    usableCredentials: ReadonlyArray<UsableCredential>
  ): CandidateTargets<Capability> => {
    const byCapability = getOrAdd(byConfiguration, configuration, makeByCapability)
    const byModel = getOrAdd(byCapability, query.capability, makeByModel)
    const byCredentials = getOrAdd(byModel, models[0], makeByCredentials)
    // Under the function that selects a capability there are targets of that capability only.
    const known = byCredentials.get(usableCredentials) as CandidateTargets<Capability> | undefined
    if (known !== undefined) return known
    const targets = build(query, configuration, models, usableCredentials)
    const built = { ...targets, plans: new PlanMemory(targets.candidates) }
    byCredentials.set(usableCredentials, built)
    return built
  }
}

const getOrAdd = <Key extends WeakKey, Value>(
  map: WeakMap<Key, Value>,
  key: Key,
  make: () => Value
): Value => {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}

const makeByCapability = (): ByCapability => new WeakMap()
const makeByModel = (): ByModel => new WeakMap()
const makeByCredentials = (): ByCredentials => new WeakMap()
