/** Shows fallback: every third call fails like an overloaded provider. */
import { UpstreamFailure } from "@signalbox/core/upstream"
import type { DecisionCapability } from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"

export const failEveryThird = (capability: DecisionCapability): DecisionCapability => {
  let calls = 0
  return {
    ...capability,
    decide: (call) =>
      Effect.suspend(() =>
        ++calls % 3 === 0 ? Effect.fail(deliberateFailure) : capability.decide(call)
      )
  }
}

const deliberateFailure = new UpstreamFailure({
  kind: "overloaded",
  status: 503,
  detail: "on purpose, every third call"
})
