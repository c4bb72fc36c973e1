/** Runs a chat whose answer is streamed. */
import * as Cause from "effect/Cause"
import * as Channel from "effect/Channel"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { constVoid } from "effect/Function"
import type * as HttpClient from "effect/http/HttpClient"
import * as Pull from "effect/Pull"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { Candidate } from "../../routing/Candidate.ts"
import { openStream } from "../../routing/attempt/openStream.ts"
import type {
  AttemptSuccess,
  Operation,
  OperationTarget,
  UsageReporter
} from "../../routing/Operation.ts"
import type { SettingsShape } from "../../Settings.ts"
import type {
  ChatCapability,
  ChatEvent,
  ChatDeltaEvent,
  ChatReply,
  ChatMetadata
} from "../../upstreams/ChatCapability.ts"
import type { FailureKind, UpstreamFailure } from "../../upstreams/failures/UpstreamFailure.ts"
import type { TokenUsage } from "../../values/usage/TokenUsage.ts"
import { isValidUsage, makeCostEstimates, resolveUsage, toChatCall, toServed } from "../chatCall.ts"
import { emptyAnswerFailure, errorFinishFailure, isErrorReason } from "../checkChatReply.ts"
import type { ParsedChat } from "../request/parseChatRequest.ts"
import type { ChatAccumulator } from "./ChatAccumulator.ts"

/** Receives the answer. */
export interface ChatSink {
  /** Called once, with the first piece: no fallback follows. */
  readonly opened: (candidate: Candidate) => Effect.Effect<void>
  /** Waits while the reader is too far behind. */
  readonly push: (pieces: ReadonlyArray<ChatDeltaEvent>) => Effect.Effect<void>
  /** Whether `push` would wait. */
  readonly isFull: () => boolean
  readonly said: ChatAccumulator
  /** Outlives the request: the call of a complete answer is closed here. */
  readonly afterwards: Scope.Scope
}

export const makeStreamOperation = (
  parsed: ParsedChat,
  sink: ChatSink,
  settings: SettingsShape
): Operation<ChatCapability, ChatReply, HttpClient.HttpClient> => ({
  ...makeCostEstimates(parsed),
  // The reservation outlives the stream.
  leaseMillis: settings.streamTimeoutMillis + settings.reservationLeaseMillis,
  run: (target, spent, commit) =>
    Effect.map(
      Effect.acquireUseRelease(
        Scope.make(),
        (scope) => Scope.provide(streamReply(parsed, target, { sink, spent, commit }), scope),
        (scope, exit) =>
          Exit.isSuccess(exit)
            ? Effect.forkIn(
                Effect.ensuring(exit.value.drain, Scope.close(scope, Exit.void)),
                sink.afterwards,
                { startImmediately: true }
              )
            : Scope.close(scope, exit)
      ),
      ({ served }) => served
    )
})

interface StreamContext {
  readonly sink: ChatSink
  readonly spent: UsageReporter
  readonly commit: Effect.Effect<void>
}

interface StreamedReply {
  readonly served: AttemptSuccess<ChatReply>
  /** Reads to the end of the response, so that its connection can be reused. */
  readonly drain: Effect.Effect<void, never, HttpClient.HttpClient>
}

const streamReply: (
  parsed: ParsedChat,
  target: OperationTarget<ChatCapability>,
  context: StreamContext
) => Effect.Effect<StreamedReply, UpstreamFailure, HttpClient.HttpClient | Scope.Scope> =
  Effect.fnUntraced(function* (parsed, target, { commit, sink, spent }) {
    const { said } = sink
    let reportedUsage: TokenUsage | undefined
    const call = toChatCall(parsed, target, (usage) => {
      reportedUsage = usage
    })
    const { events, idleTimeout } = yield* openStream(
      validateEvents(target.capability.stream(call)),
      isEnd
    )
    yield* commit
    yield* sink.opened(target.candidate)
    // `Stream.toPull` would merge the whole context for each event.
    const pull = yield* Channel.toPullScoped(Stream.toChannel(events), yield* Effect.scope)
    let report: ChatMetadata = {}
    let isOver = false
    let backpressureMillis = 0
    const push = (pieces: ReadonlyArray<ChatDeltaEvent>) =>
      sink.isFull()
        ? Effect.map(Effect.timed(sink.push(pieces)), ([waited]) => {
            backpressureMillis += Duration.toMillis(waited)
          })
        : sink.push(pieces)
    const forwardNext = Effect.flatMap(pull, (array) => {
      const pieces: Array<ChatDeltaEvent> = []
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
    yield* Effect.whileLoop({
      while: () => !isOver,
      body: () => forwardNext,
      step: constVoid
    }).pipe(
      Effect.raceFirst(idleTimeout),
      Effect.onError((cause) =>
        Effect.sync(() => {
          if (isCutOff(cause))
            spent(resolveUsage(parsed, target, said, reportedUsage), !isValidUsage(reportedUsage))
        })
      )
    )
    const served = toServed(parsed, target, { ...report, choices: said.choices() }, said)
    return {
      served: { ...served, ...(backpressureMillis === 0 ? undefined : { backpressureMillis }) },
      drain: Effect.ignore(Effect.timeoutOption(Effect.forever(pull), drainTimeoutMillis))
    }
  })

/** The end of a response usually arrives with its last event. */
const drainTimeoutMillis = 1_000

/** Ignores everything after `end`. Fails when the provider reports an error, or the answer is empty. */
const validateEvents = <R>(
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
            return Effect.fail(errorFinishFailure)
          }
          isSilent = false
        } else if (isSilent && (event.usage?.outputTokens ?? 0) === 0) {
          return Effect.fail(emptyAnswerFailure)
        } else isOver = true
      }
      return Effect.succeed(array)
    })
  })

const isEnd = ({ type }: ChatEvent): boolean => type === "end"

/** The answer was cut off, so the provider charges for what it had generated. */
const cutOffKinds: ReadonlySet<FailureKind> = new Set([
  "unreachable",
  "timeout",
  "invalid_answer",
  "defect"
])

/** An error that the provider itself reports is charged only for the usage in the report. */
const isCutOff = ({ reasons }: Cause.Cause<UpstreamFailure>): boolean => {
  const failed = reasons.find(Cause.isFailReason)
  return (
    failed === undefined || (failed.error.usage === undefined && cutOffKinds.has(failed.error.kind))
  )
}
