/** Decisions in process, because a host contract tests only what is between client and instance. */
import type { UpstreamFailure } from "@signalbox/core/upstream"
import type { DecisionCall, DecisionReply } from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"

export type Decide = (call: DecisionCall) => Effect.Effect<DecisionReply, UpstreamFailure>

/** Answers each question with the probability `state.yes`. */
export const decide: Decide = ({ questions, state }) =>
  Effect.sync(() => {
    const yes = Predicate.hasProperty(state, "yes") ? Number(state.yes) : 0.5
    const verdict = { weights: [yes, 1 - yes] }
    return {
      verdicts: new Map(Object.keys(questions).map((name) => [name, verdict])),
      usage: { inputTokens: 1, outputTokens: 1 },
      method: "native"
    }
  })

/** An upstream that runs until it is released. `called` and `interrupted` resolve at those events. */
export const makeBlockingDecide = () => {
  const called = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const interrupted = Promise.withResolvers<void>()
  return {
    called: called.promise,
    interrupted: interrupted.promise,
    release: released.resolve,
    decide: ((call) =>
      Effect.sync(called.resolve).pipe(
        Effect.andThen(Effect.promise(() => released.promise)),
        Effect.onInterrupt(() => Effect.sync(interrupted.resolve)),
        Effect.andThen(decide(call))
      )) satisfies Decide
  }
}
