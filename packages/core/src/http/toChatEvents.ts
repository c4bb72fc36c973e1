/** A streamed chat as server-sent events. Source: wire, POST /chat/completions. */
import * as Arr from "effect/Array"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import type * as Pull from "effect/Pull"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { ChatStream } from "../chat/Chats.ts"
import type { ChunkHead } from "../chat/ChunkEncoder.ts"
import type { Drain } from "./Drain.ts"
import type { ErrorResponse } from "./errors/ErrorResponse.ts"
import { toErrorResponse } from "./errors/toErrorResponse.ts"
import { toErrorResponseFromCause } from "./errors/toErrorResponseFromCause.ts"
import { Draining } from "./HttpErrors.ts"

/** How long a stream goes on. */
export interface EventStreamOptions {
  /** Silence in milliseconds after which a comment says that it goes on. */
  readonly keepaliveMillis: number
  /** Says when the box waits no longer: it is broken off then. */
  readonly drain: Pick<Drain["Service"], "onTimeout">
}

interface ChatEventsOptions extends EventStreamOptions {
  /** How it was routed, for the last chunk, where the caller wants to know. */
  readonly toRoutingMetadata?: (() => Readonly<Record<string, unknown>> | undefined) | undefined
}

/**
 * The headers are out already, so that an answer that breaks off says so in a chunk of its own. There is no
 * `[DONE]` after it: what ends with that is whole.
 */
export const toChatEvents = (
  { chunks, ...head }: ChatStream,
  { toRoutingMetadata, ...going }: ChatEventsOptions
): Stream.Stream<Uint8Array> =>
  chunks.pipe(
    Stream.map((chunk) =>
      toEvent(chunk.usage === undefined ? chunk : Object.assign({}, chunk, toRoutingMetadata?.()))
    ),
    (events) => withKeepalive(events, going),
    Stream.concat(Stream.succeed(doneEvent)),
    Stream.catchCause((cause) => Stream.fromEffect(toFailureEvent(head, cause, toRoutingMetadata))),
    Stream.mapArray((events) => Arr.of(encoder.encode(events.join(""))))
  )

const encoder = new TextEncoder()

export const toEvent = (chunk: object): string => `data: ${JSON.stringify(chunk)}\n\n`

export const doneEvent = "data: [DONE]\n\n"

const keepaliveEvent: Arr.NonEmptyReadonlyArray<string> = [": keepalive\n\n"]

/** Whoever gave up pulling would have closed the stream: one pull is waited for until it brings something. */
export const withKeepalive = <E>(
  events: Stream.Stream<string, E>,
  { drain, keepaliveMillis }: EventStreamOptions
): Stream.Stream<string, E | Draining> =>
  Stream.transformPull(events, (pull, scope) =>
    Effect.gen(function* () {
      const start = Effect.forkIn(pull, scope, { startImmediately: true })
      let pulling: Effect.Success<typeof start> | undefined
      let isBrokenOff = false
      const fallSilent = drain.onTimeout(() => {
        isBrokenOff = true
        pulling?.interruptUnsafe()
      })
      yield* Scope.addFinalizer(scope, Effect.sync(fallSilent))
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

const toFailureEvent = <E extends Parameters<typeof toErrorResponse>[0]>(
  head: ChunkHead,
  cause: Cause.Cause<E>,
  told: ChatEventsOptions["toRoutingMetadata"]
): Effect.Effect<string> => {
  const failed = cause.reasons.find(Cause.isFailReason)
  if (failed !== undefined) {
    return Effect.succeed(toErrorEvent({ ...head, ...told?.() }, toErrorResponse(failed.error)))
  }
  // Nobody is there to be told.
  if (Cause.hasInterruptsOnly(cause)) return Effect.interrupt
  return Effect.map(toErrorResponseFromCause(cause, false), (refusal) =>
    toErrorEvent(head, refusal)
  )
}

const toErrorEvent = (head: object, { message, metadata, status }: ErrorResponse): string =>
  toEvent({
    ...head,
    error: { code: status, message, ...(metadata === undefined ? undefined : { metadata }) },
    choices: [
      { index: 0, delta: { content: "" }, finish_reason: "error", native_finish_reason: "error" }
    ]
  })
