/** Routes a chat whose answer is streamed. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { Candidate } from "../../routing/Candidate.ts"
import type { RouteQuery } from "../../routing/RouteQuery.ts"
import type { ActiveRequest, RouteRecorder } from "../../routing/record/RouteRecorder.ts"
import type { RoutingError } from "../../routing/Routing.ts"
import type { SettingsShape } from "../../Settings.ts"
import type {
  ChatCapability,
  ChatDeltaEvent,
  ChatMetadata,
  ChatReply
} from "../../upstreams/ChatCapability.ts"
import { toIoContent } from "../chatRecord.ts"
import type { ParsedChat } from "../request/parseChatRequest.ts"
import { toChatUsage } from "../toChatUsage.ts"
import { traceChat } from "../traceChat.ts"
import { makeChatAccumulator } from "./ChatAccumulator.ts"
import type { ChatChunk } from "./ChatChunk.ts"
import { type ChunkHead, makeChunkEncoder, makeLastChunk } from "./ChunkEncoder.ts"
import { makeStreamOperation } from "./makeStreamOperation.ts"
import { makeReadAheadBuffer } from "./ReadAheadBuffer.ts"

/** An answer that has started. */
export interface ChatStream extends ChunkHead {
  /**
   * The chunks of the answer; the last one has the usage. Fails when the answer breaks off, because no fallback is
   * possible then. Can be read once; a reader that stops ends the call at the provider.
   */
  readonly chunks: Stream.Stream<ChatChunk, RoutingError>
}

interface StreamChatOptions {
  readonly isIoLogEnabled: boolean
  readonly settings: SettingsShape
  readonly recorder: RouteRecorder["Service"]
  /** Outlives the request: the call of a complete answer is closed here. */
  readonly afterwards: Scope.Scope
}

/** Made once; the function that it returns opens one stream, which ends with its scope at the latest. */
export const makeStreamChat = ({
  afterwards,
  isIoLogEnabled,
  recorder,
  settings
}: StreamChatOptions): ((
  parsed: ParsedChat,
  query: RouteQuery<ChatCapability>,
  underway: Omit<ActiveRequest<ChatReply>, "isStreamed" | "toContent">
) => Effect.Effect<ChatStream, RoutingError, Scope.Scope>) =>
  Effect.fnUntraced(function* (parsed, query, underway) {
    const said = makeChatAccumulator(isIoLogEnabled ? settings.maxIoLogStreamCharacters : 0)
    const opened = yield* Deferred.make<Candidate, RoutingError>()
    const buffer = yield* makeReadAheadBuffer<ChatDeltaEvent, RoutingError>()
    const sink = {
      ...buffer,
      opened: (candidate: Candidate) => Deferred.succeed(opened, candidate),
      said,
      afterwards
    }
    let report: ChatMetadata = {}
    const drive = Effect.onExit(
      Effect.suspend(() =>
        traceChat(parsed, () =>
          recorder.route(query, makeStreamOperation(parsed, sink, settings), {
            ...underway,
            isStreamed: true,
            toContent: () => toIoContent(parsed, said.choices(), said.isTruncated())
          })
        )
      ),
      (exit) =>
        Effect.sync(() => {
          if (Exit.isSuccess(exit)) {
            report = exit.value.value
            buffer.end()
          } else {
            Deferred.doneUnsafe(opened, Exit.failCause(exit.cause))
            buffer.failCause(exit.cause)
          }
        })
    )
    const driver = yield* Effect.forkIn(drive, yield* Effect.scope)
    const abort = Fiber.interrupt(driver)
    const { endpoint, providerName } = yield* Effect.onInterrupt(
      Deferred.await(opened),
      () => abort
    )
    const head: ChunkHead = {
      id: underway.id,
      object: "chat.completion.chunk",
      created: Math.floor(underway.startedAt / 1_000),
      model: endpoint.model,
      provider: providerName
    }
    const encodeChunk = makeChunkEncoder(head)
    return {
      ...head,
      chunks: buffer.pieces.pipe(
        Stream.map(encodeChunk),
        Stream.concat(
          Stream.suspend(() => {
            const usage = toChatUsage(underway.attempts, report.usageDetails)
            return Stream.succeed(makeLastChunk(head, { marks: report, usage }))
          })
        ),
        Stream.ensuring(abort)
      )
    }
  })
