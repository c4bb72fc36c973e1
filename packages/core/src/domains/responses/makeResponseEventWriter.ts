/** Writes a streamed answer of any provider as the events of the Responses API. */
import type * as Clock from "effect/Clock"
import type { ChatStream } from "../chat/stream/streamChat.ts"
import type { NamedEvent } from "../../dialects/NamedEvent.ts"
import {
  makeResponsesEventWriter,
  type ResponsesEventWriter
} from "../../dialects/responses/writeEvents.ts"
import type { ResponseError } from "../../dialects/responses/responseObject.ts"
import type { ChatDeltaEvent } from "../../engine/upstreams/ChatCapability.ts"
import { flatMapFew } from "../../values/flatMapFew.ts"
import { makeNativeEventWriter } from "./makeNativeEventWriter.ts"
import type { ResponsesChat } from "./parseResponsesChat.ts"
import { type ResponseTime, toResponseEnd, toResponseFacts } from "./writeResponse.ts"

type StreamFacts = Pick<ChatStream, "created" | "id" | "model" | "toEnd">
type Metadata = ResponseTime["metadata"]

/** The events of one answer; each function returns those that are to be sent. */
export interface ResponseEventWriter {
  readonly write: (pieces: ReadonlyArray<ChatDeltaEvent>) => ReadonlyArray<NamedEvent>
  /** Writes the end of a complete answer. `metadata` says how it was routed. */
  readonly end: (metadata?: Metadata) => ReadonlyArray<NamedEvent>
  /** Writes the end of an answer that broke off. */
  readonly fail: (error: ResponseError, metadata?: Metadata) => ReadonlyArray<NamedEvent>
}

/** The first piece says whether the provider has this API. */
export const makeResponseEventWriter = (
  stream: StreamFacts,
  chat: Pick<ResponsesChat, "request" | "tools">,
  clock: Clock.Clock
): ResponseEventWriter => {
  const facts = toResponseFacts(stream, chat)
  let chosen: ResponsesEventWriter | undefined
  const choose = (isNative: boolean): ResponsesEventWriter =>
    (chosen ??= isNative ? makeNativeEventWriter(facts) : makeResponsesEventWriter(facts))
  return {
    write: (pieces) =>
      flatMapFew(pieces, (piece) => choose(piece.native !== undefined).write(piece)),
    end: (metadata) => {
      const completedAt = clock.currentTimeMillisUnsafe()
      return choose(false).end(toResponseEnd(stream.toEnd(), { completedAt, metadata }))
    },
    fail: (error, metadata) =>
      choose(false).fail(error, toResponseEnd(stream.toEnd(), { metadata }))
  }
}
