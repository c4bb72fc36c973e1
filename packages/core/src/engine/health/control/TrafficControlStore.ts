/** Stores what operators ask of traffic. A port. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Result from "effect/Result"
import type { TrafficControl } from "./TrafficControl.ts"

/** Stores traffic controls of the instance, which no account owns. */
export class TrafficControlStore extends Context.Service<
  TrafficControlStore,
  {
    /** In any order. There are at most as many as endpoints and providers were ever controlled. */
    readonly list: Effect.Effect<ReadonlyArray<TrafficControl>>
    /**
     * Stores what `change` makes of the control; undefined: there is none yet. Nothing is stored when it fails. Race: of
     * two concurrent changes, the later one receives the result of the earlier one.
     */
    readonly update: <E>(
      target: Pick<TrafficControl, "id" | "kind">,
      change: (before: TrafficControl | undefined) => Result.Result<TrafficControl, E>
    ) => Effect.Effect<TrafficControl, E>
  }
>()("@signalbox/core/engine/health/control/TrafficControlStore") {}
