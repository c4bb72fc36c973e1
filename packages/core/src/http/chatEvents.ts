/** A streamed chat as server-sent events. Source: wire, POST /chat/completions. */
import * as Arr from "effect/Array"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { ChatStream } from "../chat/Chats.ts"
import type { ChunkHead } from "../chat/chunking.ts"
import type { Refusal } from "./errors/Refusal.ts"
import { refusalOf } from "./errors/refusalOf.ts"
import { refusalOfCause } from "./errors/refusalOfCause.ts"

interface Telling {
  /** Silence in milliseconds after which a comment says that it goes on. */
  readonly keepaliveMillis: number
  /** How it was routed, for the last chunk, where the caller wants to know. */
  readonly told?: (() => Readonly<Record<string, unknown>> | undefined) | undefined
}

/**
 * The headers are out already, so that an answer that breaks off says so in a chunk of its own. There is no
 * `[DONE]` after it: what ends with that is whole.
 */
export const chatEvents = (
  { chunks, ...head }: ChatStream,
  { keepaliveMillis, told }: Telling
): Stream.Stream<Uint8Array> =>
  chunks.pipe(
    Stream.map((chunk) => eventOf(chunk.usage === undefined ? chunk : { ...chunk, ...told?.() })),
    (events) => keptAlive(events, keepaliveMillis),
    Stream.concat(Stream.succeed(done)),
    Stream.catchCause((cause) => Stream.fromEffect(brokenOff(head, cause, told))),
    Stream.mapArray((events) => Arr.of(encoder.encode(events.join(""))))
  )

const encoder = new TextEncoder()

export const eventOf = (chunk: object): string => `data: ${JSON.stringify(chunk)}\n\n`

export const done = "data: [DONE]\n\n"

const keepalive: Arr.NonEmptyReadonlyArray<string> = [": keepalive\n\n"]

/** Whoever gave up pulling would have closed the stream: one pull is waited for until it brings something. */
export const keptAlive = <E>(
  events: Stream.Stream<string, E>,
  millis: number
): Stream.Stream<string, E> =>
  Stream.transformPull(events, (pull, scope) =>
    Effect.sync(() => {
      const start = Effect.forkIn(pull, scope, { startImmediately: true })
      let pulling: Effect.Success<typeof start> | undefined
      return Effect.suspend(() => (pulling === undefined ? start : Effect.succeed(pulling))).pipe(
        Effect.flatMap((fiber) => {
          pulling = fiber
          return Effect.timeoutOption(Fiber.await(fiber), millis)
        }),
        Effect.flatMap((ended) => {
          if (Option.isNone(ended)) return Effect.succeed(keepalive)
          pulling = undefined
          return ended.value
        })
      )
    })
  )

const brokenOff = <E extends Parameters<typeof refusalOf>[0]>(
  head: ChunkHead,
  cause: Cause.Cause<E>,
  told: Telling["told"]
): Effect.Effect<string> => {
  const failed = cause.reasons.find(Cause.isFailReason)
  if (failed !== undefined) {
    return Effect.succeed(errorEvent({ ...head, ...told?.() }, refusalOf(failed.error)))
  }
  // Nobody is there to be told.
  if (Cause.hasInterruptsOnly(cause)) return Effect.interrupt
  return Effect.map(refusalOfCause(cause, false), (refusal) => errorEvent(head, refusal))
}

const errorEvent = (head: object, { message, metadata, status }: Refusal): string =>
  eventOf({
    ...head,
    error: { code: status, message, ...(metadata === undefined ? undefined : { metadata }) },
    choices: [
      { index: 0, delta: { content: "" }, finish_reason: "error", native_finish_reason: "error" }
    ]
  })
