/**
 * Opens a stream up to its commit point, so that the attempt engine can treat it like an answer:
 * before the first event a failure falls back, after it the stream is the caller's.
 */
import * as Cause from "effect/Cause"
import * as Channel from "effect/Channel"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Pull from "effect/Pull"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { Settings } from "../../Settings.ts"
import { type FailurePhase, UpstreamFailure } from "../../upstreams/failures/UpstreamFailure.ts"

export interface OpenedStream<A, R> {
  /** The whole stream, its first event included. */
  readonly events: Stream.Stream<A, UpstreamFailure, R>
  /**
   * Fails when the pause between two events is too long. The reader races it once with everything it does: a race per
   * event would cost more than the event.
   */
  readonly idleTimeout: Effect.Effect<never, UpstreamFailure>
}

/**
 * Pulls the first event of `events`. Fails when none arrives in time. The stream fails when it ends without an event for
 * which `isTerminal` holds: a truncated stream is never a clean end.
 *
 * The resources of the stream are released when the attempt fails, else with the surrounding scope.
 */
export const openStream: <A, R>(
  events: Stream.Stream<A, UpstreamFailure, R>,
  isTerminal: (event: A) => boolean
) => Effect.Effect<OpenedStream<A, R>, UpstreamFailure, R | Scope.Scope> = Effect.fnUntraced(
  function* <A, R>(
    events: Stream.Stream<A, UpstreamFailure, R>,
    isTerminal: (event: A) => boolean
  ) {
    const { firstEventTimeoutMillis, streamIdleTimeoutMillis } = yield* Settings
    const clock = yield* Clock.Clock
    const scope = yield* Scope.fork(yield* Effect.scope)
    // `Stream.toPull` would merge the whole context for each event.
    const pull = yield* Channel.toPullScoped(Stream.toChannel(events), scope)
    const first = yield* Effect.timeoutOrElse(pull, {
      duration: firstEventTimeoutMillis,
      orElse: () => failWithTimeout("first_event")
    }).pipe(
      Pull.catchDone(() => Effect.fail(truncatedStream)),
      Effect.onError((cause) => Scope.close(scope, Exit.failCause(cause)))
    )
    let isTerminated = first.some(isTerminal)
    /** When the reader began to wait for the next event; undefined: it does not wait. */
    let waitingSince: number | undefined
    const next = Effect.suspend(() => {
      waitingSince = clock.currentTimeMillisUnsafe()
      return pull
    }).pipe(
      Effect.map((chunk) => {
        waitingSince = undefined
        isTerminated ||= chunk.some(isTerminal)
        return chunk
      }),
      Pull.catchDone((): Pull.Pull<never, UpstreamFailure> =>
        isTerminated ? Cause.done() : Effect.fail(truncatedStream)
      )
    )
    const idleTimeout: Effect.Effect<never, UpstreamFailure> = Effect.suspend(() => {
      const now = clock.currentTimeMillisUnsafe()
      const remaining = (waitingSince ?? now) + streamIdleTimeoutMillis - now
      return remaining <= 0
        ? failWithTimeout("between_events")
        : Effect.flatMap(Effect.sleep(remaining), () => idleTimeout)
    })
    return {
      events: Stream.concat(Stream.fromIterable(first), Stream.fromPull(Effect.succeed(next))),
      idleTimeout
    }
  }
)

const failWithTimeout = (phase: FailurePhase): Effect.Effect<never, UpstreamFailure> =>
  Effect.fail(new UpstreamFailure({ kind: "timeout", phase }))

const truncatedStream = new UpstreamFailure({
  kind: "invalid_answer",
  detail: "the stream ended before it was complete"
})
