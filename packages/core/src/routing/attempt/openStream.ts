/**
 * Opens a stream up to its commit point, so that the attempt engine can treat it like an answer:
 * before the first event a failure falls back, after it the stream is the caller's.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Pull from "effect/Pull"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { Settings } from "../../Settings.ts"
import { type FailurePhase, UpstreamFailure } from "../../upstreams/failures/UpstreamFailure.ts"

/**
 * Pulls the first event of `events` and returns the whole stream, that event included. Fails when
 * none arrives in time. The stream fails when the pause between two events is too long, and when it
 * ends without an event for which `isTerminal` holds: a truncated stream is never a clean end.
 *
 * The resources of the stream are released when the attempt fails, else with the surrounding scope.
 */
export const openStream: <A, R>(
  events: Stream.Stream<A, UpstreamFailure, R>,
  isTerminal: (event: A) => boolean
) => Effect.Effect<Stream.Stream<A, UpstreamFailure, R>, UpstreamFailure, R | Scope.Scope> =
  Effect.fnUntraced(function* <A, R>(
    events: Stream.Stream<A, UpstreamFailure, R>,
    isTerminal: (event: A) => boolean
  ) {
    const settings = yield* Settings
    const scope = yield* Scope.fork(yield* Effect.scope)
    const pull = yield* Scope.provide(Stream.toPull(events), scope)
    const next = (phase: FailurePhase, millis: number) =>
      Effect.timeoutOrElse(pull, {
        duration: millis,
        orElse: () => Effect.fail(new UpstreamFailure({ kind: "timeout", phase }))
      })
    const first = yield* next("first_event", settings.firstEventTimeoutMillis).pipe(
      Pull.catchDone(() => Effect.fail(truncatedStream)),
      Effect.onError((cause) => Scope.close(scope, Exit.failCause(cause)))
    )
    let terminated = first.some(isTerminal)
    const rest = Stream.fromPull(
      Effect.succeed(
        next("between_events", settings.streamIdleTimeoutMillis).pipe(
          Effect.tap((chunk) =>
            Effect.sync(() => {
              terminated ||= chunk.some(isTerminal)
            })
          ),
          Pull.catchDone((): Pull.Pull<never, UpstreamFailure> =>
            terminated ? Cause.done() : Effect.fail(truncatedStream)
          )
        )
      )
    )
    return Stream.concat(Stream.fromIterable(first), rest)
  })

const truncatedStream = new UpstreamFailure({
  kind: "invalid_answer",
  detail: "the stream ended before it was complete"
})
