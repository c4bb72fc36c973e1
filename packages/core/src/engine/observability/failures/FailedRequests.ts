/** Records requests that failed before they were routed: they leave no generation record. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Settings } from "../../../instance/Settings.ts"
import { evaluate, isSuccess } from "../../../values/eager.ts"
import { type FailedRequest, FailedRequestStore } from "./FailedRequest.ts"

/**
 * Requests without a valid key are unlimited, so this process records only
 * `Settings.maxUnauthenticatedFailuresPerMinute` of them.
 */
export class FailedRequests extends Context.Service<
  FailedRequests,
  {
    /** Never throws, and no request waits for it. */
    readonly record: (failed: FailedRequest) => void
  }
>()("@signalbox/core/engine/observability/failures/FailedRequests") {
  static readonly layer = Layer.effect(
    FailedRequests,
    Effect.gen(function* () {
      const { maxUnauthenticatedFailuresPerMinute } = yield* Settings
      const store = yield* FailedRequestStore
      const runFork = Effect.runForkWith(yield* Effect.context())
      let minute = 0
      let taken = 0
      const isAdmitted = ({ at, caller }: FailedRequest): boolean => {
        if (caller !== undefined) return true
        const current = Math.floor(at / 60_000)
        if (current !== minute) [minute, taken] = [current, 0]
        return (taken += 1) <= maxUnauthenticatedFailuresPerMinute
      }
      return {
        record: (failed) => {
          if (!isAdmitted(failed)) return
          const recording = evaluate(() => store.record(failed))
          if (isSuccess(recording)) return
          // Only a store that does not queue takes a fiber.
          runFork(
            Effect.catchCause(recording, (cause) =>
              Effect.logWarning("cannot record a failed request", cause)
            )
          )
        }
      }
    })
  )
}
