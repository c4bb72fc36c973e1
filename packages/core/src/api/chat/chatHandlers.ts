/** Handlers of the chat operations. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { toChatCompletion } from "../../domains/chat/ChatAnswer.ts"
import { decodeChatRequest, type ParsedChat } from "../../domains/chat/request/parseChatRequest.ts"
import { makeEventEncoder } from "../../domains/chat/stream/ChunkEncoder.ts"
import type { ChatStream } from "../../domains/chat/stream/streamChat.ts"
import type { ChatDeltaEvent } from "../../engine/upstreams/ChatCapability.ts"
import type { ErrorResponse } from "../errors/ErrorResponse.ts"
import type { Handlers } from "../operation/Handler.ts"
import type { RoutingMetadataRecorder } from "../operation/RoutingMetadataRecorder.ts"
import { makeAnswerApi } from "../operation/makeAnswerApi.ts"
import { doneEvent, toEvent } from "../operation/serverSentEvents.ts"
import type { AnswerWriter } from "../operation/JsonAnswer.ts"
import type { ChatApi } from "./ChatApi.ts"

export const chatHandlers = Effect.map(
  makeAnswerApi({
    name: "chat",
    decode: (json, options, headers) =>
      Result.map(decodeChatRequest(json, options), (parsed) => ({
        parsed: addBetas(parsed, headers["x-anthropic-beta"])
      })),
    write: (answer, _, { routing }) => routing.addMetadata(toChatCompletion(answer)),
    makeEventWriter: (stream, _, { routing }) => makeChatEventWriter(stream, routing)
  }),
  ({ create }) => ({ complete: create }) satisfies Handlers<typeof ChatApi>
)

/** For providers with Anthropic's API alone. */
const addBetas = (parsed: ParsedChat, betas: string | undefined): ParsedChat =>
  betas === undefined
    ? parsed
    : {
        ...parsed,
        dialectHeaders: { dialect: "messages", headers: { "anthropic-beta": betas } }
      }

/**
 * No `[DONE]` follows a failure, because `[DONE]` marks a complete answer. The last chunk has the routing
 * metadata, if the caller asked for it.
 */
export const makeChatEventWriter = (
  { head, toLastChunk }: Pick<ChatStream, "head" | "toLastChunk">,
  routing?: Pick<RoutingMetadataRecorder, "toMetadata">
): AnswerWriter<ChatDeltaEvent> => ({
  write: makeEventEncoder(head),
  end: () => toEvent(Object.assign({}, toLastChunk(), routing?.toMetadata())) + doneEvent,
  fail: (error, isExpected) =>
    toErrorEvent(isExpected ? { ...head, ...routing?.toMetadata() } : head, error)
})

const toErrorEvent = (head: object, { message, metadata, status }: ErrorResponse): string =>
  toEvent({
    ...head,
    error: { code: status, message, ...(metadata === undefined ? undefined : { metadata }) },
    choices: [
      { index: 0, delta: { content: "" }, finish_reason: "error", native_finish_reason: "error" }
    ]
  })
