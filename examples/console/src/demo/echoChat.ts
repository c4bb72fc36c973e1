/** A chat upstream without key and network, which repeats the last message word by word. */
import type { Part } from "@signalbox/core/dialects"
import { UpstreamFailure } from "@signalbox/core/upstream"
import type { TokenUsage } from "@signalbox/core/stores"
import type { ChatCall, ChatCapability, ChatEvent } from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
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
            {
              index: 0,
              answer: {
                parts: [{ type: "text", text: pieces.join("") }],
                end: { reason: finishReason }
              }
            }
          ],
          usage: toUsage(call, pieces)
        })
  },
  stream: (call) => {
    const { finishReason, pieces } = makeReply(call)
    const said = shouldFail(call) ? pieces.slice(0, Math.ceil(pieces.length / 2)) : pieces
    const spoken = Stream.mapEffect(Stream.fromIterable(said), (text, i) =>
      Effect.delay(Effect.succeed(makeDelta(text)), i === 0 ? 0 : millisPerWord)
    )
    return Stream.concat(
      spoken,
      shouldFail(call)
        ? Stream.fail(deliberateFailure)
        : Stream.make<ReadonlyArray<ChatEvent>>(
            { type: "delta", choices: [{ index: 0, events: [], end: { reason: finishReason } }] },
            { type: "end", usage: toUsage(call, pieces) }
          )
    )
  },
  ignoresCredentials: true,
  estimateWorstCase: (call) => toUsage(call, makeReply(call).pieces)
}

const millisPerWord = 50

const makeReply = (call: ChatCall) => {
  const heard = findLastQuestion(call)
  const words = heard.match(/\S+/g) ?? []
  const answer = heard === "" ? "Nobody said anything." : `You said: ${words.join(" ")}`
  const pieces = answer.match(/\S+\s*/g) ?? []
  const most = call.maxOutputTokens ?? pieces.length
  return {
    pieces: pieces.slice(0, most),
    finishReason: most < pieces.length ? "length" : "stop"
  }
}

/** What the user said last. */
export const findLastQuestion = ({ conversation }: ChatCall): string =>
  toText(Result.getOrThrow(conversation).turns.findLast(({ role }) => role === "user")?.parts ?? [])

/** The texts of parts, and of results among them. */
export const toText = (parts: ReadonlyArray<Part>): string =>
  parts
    .flatMap((part) => {
      if (part.type === "result") return [toText(part.content)]
      return part.type === "text" ? [part.text] : []
    })
    .join(" ")

const shouldFail = (call: ChatCall): boolean => /\bfail\b/i.test(findLastQuestion(call))

const deliberateFailure = new UpstreamFailure({
  kind: "server_error",
  detail: "on purpose, the message says so"
})

const makeDelta = (text: string): ChatEvent => ({
  type: "delta",
  choices: [{ index: 0, events: [{ type: "text", text }] }]
})

const toUsage = ({ contentBytes }: ChatCall, pieces: ReadonlyArray<string>): TokenUsage => ({
  // The usual estimate of four bytes a token.
  inputTokens: Math.ceil(contentBytes / 4),
  outputTokens: pieces.length
})
