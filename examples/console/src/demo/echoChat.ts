/** A chat upstream without key and network, which repeats the last message word by word. */
import { UpstreamFailure } from "@signalbox/core/upstream"
import { type TokenUsage } from "@signalbox/core/stores"
import {
  type ChatCall,
  type ChatCapability,
  type ChatEvent,
  type ChatMessage
} from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

/**
 * The same conversation gets the same answer. A token is a word, and a stream has twenty words a second. If the message
 * contains the word "fail", the answer breaks in the middle.
 */
export const echoChat: ChatCapability = {
  complete: (call) => {
    const { finishReason, pieces } = makeReply(call)
    return shouldFail(call)
      ? Effect.fail(deliberateFailure)
      : Effect.succeed({
          choices: [
            { index: 0, message: { role: "assistant", content: pieces.join("") }, finishReason }
          ],
          usage: toUsage(call, pieces)
        })
  },
  stream: (call) => {
    const { finishReason, pieces } = makeReply(call)
    const said = shouldFail(call) ? pieces.slice(0, Math.ceil(pieces.length / 2)) : pieces
    const spoken = Stream.mapEffect(Stream.fromIterable(said), (content, i) =>
      Effect.delay(Effect.succeed(makeDelta({ content })), i === 0 ? 0 : millisPerWord)
    )
    return Stream.concat(
      spoken,
      shouldFail(call)
        ? Stream.fail(deliberateFailure)
        : Stream.make<ReadonlyArray<ChatEvent>>(makeDelta({}, finishReason), {
            type: "end",
            usage: toUsage(call, pieces)
          })
    )
  },
  ignoresCredentials: true,
  estimateWorstCase: (call) => toUsage(call, makeReply(call).pieces)
}

const millisPerWord = 50

const makeReply = (call: ChatCall) => {
  const heard = toText(call.messages.findLast(({ role }) => role === "user"))
  const words = heard.match(/\S+/g) ?? []
  const answer = heard === "" ? "Nobody said anything." : `You said: ${words.join(" ")}`
  const pieces = answer.match(/\S+\s*/g) ?? []
  const most = call.maxOutputTokens ?? pieces.length
  return {
    pieces: pieces.slice(0, most),
    finishReason: most < pieces.length ? "length" : "stop"
  }
}

/** The text of a message, which is a string or a list of parts. */
export const toText = (message: ChatMessage | undefined): string => {
  const content = message?.["content"]
  const parts: ReadonlyArray<unknown> = Array.isArray(content) ? content : [content]
  return parts
    .map((part) => (typeof part === "object" && part !== null && "text" in part ? part.text : part))
    .filter((text) => typeof text === "string")
    .join(" ")
}

const shouldFail = ({ messages }: ChatCall): boolean =>
  /\bfail\b/i.test(toText(messages.findLast(({ role }) => role === "user")))

const deliberateFailure = new UpstreamFailure({
  kind: "server_error",
  detail: "on purpose, the message says so"
})

const makeDelta = (
  delta: { readonly content?: string },
  finishReason: string | null = null
): ChatEvent => ({
  type: "delta",
  choices: [{ index: 0, delta, finishReason }]
})

const toUsage = ({ contentBytes }: ChatCall, pieces: ReadonlyArray<string>): TokenUsage => ({
  // The usual estimate of four bytes a token.
  inputTokens: Math.ceil(contentBytes / 4),
  outputTokens: pieces.length
})
