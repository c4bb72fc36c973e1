/** Routes a chat whose answer is streamed. */
import type * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { Candidate } from "../../../routing/Candidate.ts"
import type { RouteQuery } from "../../../routing/RouteQuery.ts"
import type { ActiveRequest, RouteRecorder } from "../../../routing/record/RouteRecorder.ts"
import type { RoutingError } from "../../../routing/Routing.ts"
import type { SettingsShape } from "../../../instance/Settings.ts"
import type {
  ChatCapability,
  ChatChoice,
  ChatDeltaEvent,
  ChatMetadata,
  ChatReply,
  ChatServingInfo
} from "../../../engine/upstreams/ChatCapability.ts"
import type { PushStream } from "../../../values/push/PushStream.ts"
import { makeReadAheadBuffer } from "../../../values/push/ReadAheadBuffer.ts"
import type { ChatEnd } from "../ChatAnswer.ts"
import { toIoContent, traceChat } from "../chatRecord.ts"
import type { ParsedChat } from "../request/parseChatRequest.ts"
import { toChatEnd } from "../toChatUsage.ts"
import { makeChatAccumulator } from "./ChatAccumulator.ts"
import type { ChatChunk } from "./ChatChunk.ts"
import { type ChunkHead, makeChunkEncoder, makeLastChunk, toChunkHead } from "./ChunkEncoder.ts"
import { StreamWork } from "./StreamWork.ts"

/** An answer that has started. */
export interface ChatStream extends ChunkHead {
  /**
   * The chunks of the answer; the last one has the usage. Fails when the answer breaks off, because no fallback is
   * possible then. Can be read once; a reader that stops ends the call at the provider.
   */
  readonly chunks: Stream.Stream<ChatChunk, RoutingError>
  /** The fields that are the same in every chunk. */
  readonly head: ChunkHead
  /** The same answer in no API's words, without its last chunk. Read one of them. */
  readonly events: Stream.Stream<ChatDeltaEvent, RoutingError>
  /** The same, pushed. */
  readonly pieces: PushStream<ChatDeltaEvent, RoutingError>
  /** The end after the last piece, in the chat API and for others. */
  readonly toLastChunk: () => ChatChunk
  readonly toEnd: () => ChatEnd & { readonly marks: ChatServingInfo }
}

interface StreamChatOptions {
  readonly clock: Clock.Clock
  readonly isIoLogEnabled: boolean
  readonly settings: SettingsShape
  readonly recorder: RouteRecorder["Service"]
  /** Outlives the request: the call of a complete answer is closed here. */
  readonly afterwards: Scope.Scope
}

interface StreamedRequest extends Omit<
  ActiveRequest<ChatReply>,
  "isStreamed" | "onEnd" | "toContent"
> {
  /** Whether `onAnswer` gets the choices. */
  readonly isAnswerKept: boolean
  /**
   * Called once at the end; without choices when the answer is incomplete or too long to keep. Absent: the choices are
   * not collected.
   */
  readonly onAnswer?: ((choices: ReadonlyArray<ChatChoice> | undefined) => void) | undefined
}

/** Made once; the function that it returns opens one stream, which ends with its scope at the latest. */
export const makeStreamChat = ({
  afterwards,
  clock,
  isIoLogEnabled,
  recorder,
  settings
}: StreamChatOptions): ((
  parsed: ParsedChat,
  query: RouteQuery<ChatCapability>,
  underway: StreamedRequest
) => Effect.Effect<ChatStream, RoutingError, Scope.Scope>) =>
  Effect.fnUntraced(function* (parsed, query, underway) {
    const { isAnswerKept, onAnswer } = underway
    const said = makeChatAccumulator(
      isIoLogEnabled || isAnswerKept ? settings.maxIoLogStreamCharacters : 0
    )
    const opened = yield* Deferred.make<Candidate, RoutingError>()
    const buffer = makeReadAheadBuffer<ChatDeltaEvent, RoutingError>()
    const sink = {
      push: buffer.push,
      opened: (candidate: Candidate) => {
        Deferred.doneUnsafe(opened, Exit.succeed(candidate))
      },
      said,
      afterwards
    }
    let report: ChatMetadata = {}
    const drive = Effect.onExit(
      Effect.suspend(() =>
        traceChat(parsed, underway.listener, () =>
          recorder.route(query, new StreamWork(parsed, sink, { clock, settings }), {
            ...underway,
            isStreamed: true,
            toContent: () => toIoContent(parsed, said.choices(), said.isTruncated()),
            onEnd:
              onAnswer &&
              ((exit) => {
                const isKept = isAnswerKept && Exit.isSuccess(exit) && !said.isTruncated()
                onAnswer(isKept ? said.choices() : undefined)
              })
          })
        )
      ),
      (exit) =>
        Effect.sync(() => {
          if (Exit.isSuccess(exit)) report = exit.value.value
          else Deferred.doneUnsafe(opened, Exit.failCause(exit.cause))
          buffer.end(Exit.asVoid(exit))
        })
    )
    const driver = yield* Effect.forkIn(drive, yield* Effect.scope)
    const abort = Fiber.interrupt(driver)
    const { endpoint, providerName } = yield* Effect.onInterrupt(
      Deferred.await(opened),
      () => abort
    )
    const { id, startedAt } = underway
    const head = toChunkHead({ id, startedAt, model: endpoint.model, provider: providerName })
    const toEnd = () => ({
      marks: report,
      ...toChatEnd(underway.attempts, report.usageDetails)
    })
    const toLastChunk = () => makeLastChunk(head, toEnd())
    const events = Stream.ensuring(buffer.values, abort)
    return {
      ...head,
      head,
      // Made when it is read, because most readers want the pieces.
      chunks: Stream.suspend(() =>
        events.pipe(
          Stream.map(makeChunkEncoder(head)),
          Stream.concat(Stream.suspend(() => Stream.succeed(toLastChunk())))
        )
      ),
      events,
      pieces: { run: (push) => Effect.ensuring(buffer.pushed.run(push), abort) },
      toLastChunk,
      toEnd
    }
  })
