/** Caches the targets of a model on shared capacity, which most requests have in common. */
import type { Configuration } from "../catalog/Configuration.ts"
import type { Model } from "../catalog/model/Model.ts"
import type { CandidateTargets } from "./CandidateTarget.ts"
import type { CapabilityTraits, RouteQuery } from "./RouteQuery.ts"

type GetCapability = RouteQuery<CapabilityTraits>["capability"]
type TargetsByModel<Capability> = WeakMap<Model, CandidateTargets<Capability>>

/** Builds the targets of a model, of a configuration and for a capability once: all of them are immutable. */
export const makeTargetCache = () => {
  const byConfiguration = new WeakMap<
    Configuration,
    WeakMap<GetCapability, TargetsByModel<CapabilityTraits>>
  >()
  return <Capability extends CapabilityTraits>(
    configuration: Configuration,
    { capability }: Pick<RouteQuery<Capability>, "capability">,
    model: Model,
    build: () => CandidateTargets<Capability>
  ): CandidateTargets<Capability> => {
    let byCapability = byConfiguration.get(configuration)
    if (byCapability === undefined) {
      byCapability = new WeakMap()
      byConfiguration.set(configuration, byCapability)
    }
    // Under the function that selects a capability there are targets of that capability only.
    let byModel = byCapability.get(capability) as TargetsByModel<Capability> | undefined
    if (byModel === undefined) {
      byModel = new WeakMap()
      byCapability.set(capability, byModel)
    }
    let targets = byModel.get(model)
    if (targets === undefined) {
      targets = build()
      byModel.set(model, targets)
    }
    return targets
  }
}
