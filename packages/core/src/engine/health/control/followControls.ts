/** Keeps the traffic controls of this process as the store has them. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import { ChangeFeed } from "../../../instance/ChangeFeed.ts"
import { StoreUnavailable } from "../../../values/errors/StoreUnavailable.ts"
import { Health } from "../Health.ts"
import { TrafficControlStore } from "./TrafficControlStore.ts"

/** Reads the controls, which hold from then on. */
export const refreshControls: Effect.Effect<void, never, Health | TrafficControlStore> = Effect.gen(
  function* () {
    const { controls } = yield* Health
    const { list } = yield* TrafficControlStore
    controls.replace(yield* list)
  }
)

/**
 * Reads them before the first request, and after each change by another process. While the store is away, the last known
 * ones hold. Runs with the scope.
 */
export const layerTrafficControls = Layer.effectDiscard(
  Effect.gen(function* () {
    yield* refreshControls
    const { remoteInvalidations } = yield* ChangeFeed
    const refresh = refreshControls.pipe(
      Effect.tapDefect((defect) =>
        // The storage tells its outages itself.
        defect instanceof StoreUnavailable
          ? Effect.void
          : Effect.logError("cannot read the traffic controls", defect)
      ),
      Effect.sandbox,
      Effect.retry(Schedule.spaced(retryMillis)),
      Effect.ignore
    )
    yield* remoteInvalidations.pipe(
      Stream.filter(({ topic }) => topic === "traffic"),
      // One that is to come reads what all before it have changed.
      Stream.buffer({ capacity: 1, strategy: "sliding" }),
      Stream.runForEach(() => refresh),
      Effect.withTracerEnabled(false),
      Effect.forkScoped({ startImmediately: true })
    )
  })
)

const retryMillis = 1_000
