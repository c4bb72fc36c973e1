/** How a chat is answered piece by piece. */
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { constVoid } from "effect/Function"
import type * as HttpClient from "effect/http/HttpClient"
import * as Pull from "effect/Pull"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { Served, SpentListener } from "../routing/attempt.ts"
import type { Candidate } from "../routing/Candidate.ts"
import { openStream } from "../routing/openStream.ts"
import type { Operation, Target } from "../routing/Query.ts"
import type { SettingsShape } from "../Settings.ts"
import type {
  ChatCapability,
  ChatEvent,
  ChatPiece,
  ChatReply,
  ChatReport
} from "../upstreams/ChatCapability.ts"
import type { FailureKind, UpstreamFailure } from "../upstreams/UpstreamFailure.ts"
import type { TokenUsage } from "../values/TokenUsage.ts"
import type { Assembling } from "./Assembling.ts"
import { askedOf, callOf, capOf, isStated, servedBy, usedOf, worstCaseOf } from "./chatCall.ts"
import { emptyAnswer, endedInError, isErrorReason } from "./checkChatReply.ts"
import type { ParsedChat } from "./parseChatRequest.ts"

/** Where the pieces go. */
export interface Sink {
  /** Told once, when the first piece is there: from then on nobody else is asked. */
  readonly opened: (candidate: Candidate) => Effect.Effect<void>
  /** What came together; waits while whoever reads has enough to do. */
  readonly push: (pieces: ReadonlyArray<ChatPiece>) => Effect.Effect<void>
  /** Whether whoever reads is so far behind that `push` would wait. */
  readonly isFull: () => boolean
  readonly said: Assembling
  /** Where the call of an answer that is whole comes to its own end, for which nobody waits. */
  readonly afterwards: Scope.Scope
}

export const streaming = (
  parsed: ParsedChat,
  sink: Sink,
  settings: SettingsShape
): Operation<ChatCapability, ChatReply, HttpClient.HttpClient> => ({
  measure: parsed.measure,
  worstCase: (target) => worstCaseOf(parsed, target),
  cap: (target) => capOf(parsed, target),
  asked: (target) => askedOf(parsed, target),
  // It outlives the stream.
  leaseMillis: settings.streamDeadlineMillis + settings.reservationLeaseMillis,
  run: (target, spent, commit) =>
    Effect.map(
      Effect.acquireUseRelease(
        Scope.make(),
        (scope) => Scope.provide(poured(parsed, target, { sink, spent, commit }), scope),
        (scope, exit) =>
          Exit.isSuccess(exit)
            ? Effect.forkIn(
                Effect.ensuring(exit.value.rest, Scope.close(scope, Exit.void)),
                sink.afterwards,
                { startImmediately: true }
              )
            : Scope.close(scope, exit)
      ),
      ({ served }) => served
    )
})

interface Pouring {
  readonly sink: Sink
  readonly spent: SpentListener
  readonly commit: Effect.Effect<void>
}

interface Poured {
  readonly served: Served<ChatReply>
  /** Reads on behind the end: a connection that is left before it is closed instead of used again. */
  readonly rest: Effect.Effect<void, never, HttpClient.HttpClient>
}

const poured: (
  parsed: ParsedChat,
  target: Target<ChatCapability>,
  pouring: Pouring
) => Effect.Effect<Poured, UpstreamFailure, HttpClient.HttpClient | Scope.Scope> =
  Effect.fnUntraced(function* (parsed, target, { commit, sink, spent }) {
    const { said } = sink
    let stated: TokenUsage | undefined
    const call = callOf(parsed, target, (usage) => {
      stated = usage
    })
    const events = yield* openStream(heeded(target.capability.stream(call)), isEnd)
    yield* commit
    yield* sink.opened(target.candidate)
    const pull = yield* Stream.toPull(events)
    let report: ChatReport = {}
    let isOver = false
    let heldUpMillis = 0
    const push = (pieces: ReadonlyArray<ChatPiece>) =>
      sink.isFull()
        ? Effect.map(Effect.timed(sink.push(pieces)), ([waited]) => {
            heldUpMillis += Duration.toMillis(waited)
          })
        : sink.push(pieces)
    const handOn = Effect.flatMap(pull, (array) => {
      const pieces: Array<ChatPiece> = []
      for (const event of array) {
        if (event.type === "end") {
          const { type: _, ...reported } = event
          report = reported
          isOver = true
          break
        }
        pieces.push(event)
        said.add(event.choices)
      }
      return pieces.length === 0 ? Effect.void : push(pieces)
    }).pipe(
      Pull.catchDone(() =>
        Effect.sync(() => {
          isOver = true
        })
      )
    )
    yield* Effect.whileLoop({ while: () => !isOver, body: () => handOn, step: constVoid }).pipe(
      Effect.onError((cause) =>
        Effect.sync(() => {
          if (isCutOff(cause)) spent(usedOf(parsed, target, said, stated), !isStated(stated))
        })
      )
    )
    const served = servedBy(parsed, target, { ...report, choices: said.choices() }, said)
    return {
      served: { ...served, ...(heldUpMillis === 0 ? undefined : { heldUpMillis }) },
      rest: Effect.ignore(Effect.timeoutOption(Effect.forever(pull), restMillis))
    }
  })

/** An answer's own end mostly is there with its last word. Our choice. */
const restMillis = 1_000

/** Heeds nothing behind `end`, and fails where the provider reports that its answer failed, or says nothing at all. */
const heeded = <R>(
  events: Stream.Stream<ChatEvent, UpstreamFailure, R>
): Stream.Stream<ChatEvent, UpstreamFailure, R> =>
  Stream.suspend(() => {
    let isSilent = true
    let isOver = false
    return Stream.mapArrayEffect(events, (array) => {
      for (const event of array) {
        if (isOver) break
        if (event.type === "delta") {
          if (event.choices.some(({ finishReason }) => isErrorReason(finishReason))) {
            return Effect.fail(endedInError)
          }
          isSilent = false
        } else if (isSilent && (event.usage?.outputTokens ?? 0) === 0) {
          return Effect.fail(emptyAnswer)
        } else isOver = true
      }
      return Effect.succeed(array)
    })
  })

const isEnd = ({ type }: ChatEvent): boolean => type === "end"

/** The provider did not come to say how the answer ended; what it had made of it, it charges for. */
const cutOffs: ReadonlySet<FailureKind> = new Set([
  "unreachable",
  "timeout",
  "invalid_answer",
  "defect"
])

/** Where the provider itself reports an error, nothing is charged but what it says was used. */
const isCutOff = ({ reasons }: Cause.Cause<UpstreamFailure>): boolean => {
  const failed = reasons.find(Cause.isFailReason)
  return (
    failed === undefined || (failed.error.usage === undefined && cutOffs.has(failed.error.kind))
  )
}
