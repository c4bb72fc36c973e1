/** Encodes server-sent events: one per chunk, keepalive comments during silence, and `[DONE]` at the end. */
import * as Arr from "effect/Array"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import type * as Pull from "effect/Pull"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { Drain } from "../../Drain.ts"
import { Draining } from "../errors/HttpErrors.ts"

/** Keepalive and drain of an event stream. */
export interface EventStreamOptions {
  /** Milliseconds of silence after which a comment keeps the connection open. */
  readonly keepaliveMillis: number
  /** Ends the stream when the drain timeout has passed. */
  readonly drain: Pick<Drain["Service"], "onTimeout">
}

export const toEvent = (chunk: object): string => `data: ${JSON.stringify(chunk)}\n\n`

export const doneEvent = "data: [DONE]\n\n"

const keepaliveEvent: Arr.NonEmptyReadonlyArray<string> = [": keepalive\n\n"]

/** Interrupting a pull would close the stream, so one pull is awaited across keepalives until it yields. */
export const withKeepalive = <E>(
  events: Stream.Stream<string, E>,
  { drain, keepaliveMillis }: EventStreamOptions
): Stream.Stream<string, E | Draining> =>
  Stream.transformPull(events, (pull, scope) =>
    Effect.gen(function* () {
      const start = Effect.forkIn(pull, scope, { startImmediately: true })
      let pulling: Effect.Success<typeof start> | undefined
      let isBrokenOff = false
      const unsubscribe = drain.onTimeout(() => {
        isBrokenOff = true
        pulling?.interruptUnsafe()
      })
      yield* Scope.addFinalizer(scope, Effect.sync(unsubscribe))
      return Effect.suspend(() => {
        if (isBrokenOff) return Effect.fail(new Draining())
        return pulling === undefined ? start : Effect.succeed(pulling)
      }).pipe(
        Effect.flatMap((fiber) => {
          pulling = fiber
          return Effect.timeoutOption(Fiber.await(fiber), keepaliveMillis)
        }),
        Effect.flatMap((ended): Pull.Pull<Arr.NonEmptyReadonlyArray<string>, E | Draining> => {
          if (Option.isNone(ended)) return Effect.succeed(keepaliveEvent)
          pulling = undefined
          const { value: exit } = ended
          return isBrokenOff && Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause)
            ? Effect.fail(new Draining())
            : exit
        })
      )
    })
  )

/** Events that are ready together are sent as one chunk. */
export const encodeEvents = (events: Stream.Stream<string>): Stream.Stream<Uint8Array> =>
  Stream.mapArray(events, (texts) => Arr.of(encoder.encode(texts.join(""))))

const encoder = new TextEncoder()
