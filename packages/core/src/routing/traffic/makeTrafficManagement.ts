/** Lists and sets traffic controls; the audit log records every change. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { Catalog } from "../../engine/catalog/Catalog.ts"
import type { Configuration } from "../../engine/catalog/Configuration.ts"
import { findEndpoint } from "../../engine/catalog/findEndpoint.ts"
import { Health } from "../../engine/health/Health.ts"
import { refreshControls } from "../../engine/health/control/followControls.ts"
import {
  applyControl,
  type NewTrafficControl,
  type TrafficControl
} from "../../engine/health/control/TrafficControl.ts"
import { TrafficControlStore } from "../../engine/health/control/TrafficControlStore.ts"
import { Audit, findChangedTarget } from "../../engine/observability/audit/Audit.ts"
import type { Actor } from "../../values/Actor.ts"
import { InvalidRequest } from "../../values/errors/RequestErrors.ts"

export const makeTrafficManagement = Effect.gen(function* () {
  const audit = yield* Audit
  const catalog = yield* Catalog
  const store = yield* TrafficControlStore
  const refresh = Effect.provideService(
    Effect.provideService(refreshControls, TrafficControlStore, store),
    Health,
    yield* Health
  )

  const change = (actor: Actor, wanted: NewTrafficControl) =>
    audit.change(
      actor,
      "traffic_control.set",
      Effect.gen(function* () {
        const at = new Date(yield* Clock.currentTimeMillis).toISOString()
        const isServed = isControllable(catalog.current(), wanted)
        let before: TrafficControl | undefined
        const after = yield* store.update(wanted, (known) => {
          before = known
          return applyControl(known, wanted, at)
        })
        // One that has left the catalog may be put back into service, and nothing else.
        if (!isServed && (before === undefined || !isInService(after))) {
          return yield* new InvalidRequest({
            path: ["id"],
            problem: `names no ${wanted.kind} of the catalog`
          })
        }
        const target = findChangedTarget(`${after.kind} ${after.id}`, before, after)
        return { result: after, target, before, after }
      })
    )

  return {
    /** By kind and id. */
    list: Effect.map(store.list, (controls) => controls.toSorted(compareTargets)),
    /** It holds in this process when it returns, and also when it is interrupted after it was stored. */
    set: (actor: Actor, wanted: NewTrafficControl) =>
      Effect.ensuring(change(actor, wanted), refresh)
  }
})

const compareTargets = (self: TrafficControl, that: TrafficControl): number =>
  toText(self) < toText(that) ? -1 : 1

const toText = ({ id, kind }: TrafficControl): string => `${kind} ${id}`

const isInService = ({ state, weight }: TrafficControl): boolean =>
  state === "active" && weight === 1

/** Whether the catalog has what the control names. */
export const isControllable = (
  configuration: Configuration,
  { id, kind }: Pick<TrafficControl, "id" | "kind">
): boolean =>
  kind === "provider"
    ? configuration.upstreams.has(id)
    : findEndpoint(configuration, id) !== undefined
