/** A chat upstream without key and network that answers with filler text at the pace of a provider. */
import type { TokenUsage } from "@signalbox/core/stores"
import type { ChatCall, ChatCapability, ChatEvent } from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { type Pace, toMillis, waitForFirstToken } from "./Pace.ts"

/** `pace` says when, and how often it fails instead. */
export const pacedChat = (pace: Pace): ChatCapability => ({
  complete: (call) =>
    Effect.gen(function* () {
      yield* waitForFirstToken(pace)
      const tokens = countTokens(call)
      yield* Effect.sleep(toMillis(pace, tokens))
      const text = words.slice(0, tokens).join("")
      return {
        choices: [
          { index: 0, answer: { parts: [{ type: "text", text }], end: { reason: "stop" } } }
        ],
        usage: toUsage(call, tokens)
      }
    }),
  stream: (call) => {
    const tokens = countTokens(call)
    const pieces = Array.from({ length: Math.ceil(tokens / tokensPerPiece) }, (_, index) =>
      words.slice(index * tokensPerPiece, Math.min(tokens, (index + 1) * tokensPerPiece)).join("")
    )
    return Stream.concat(
      Stream.mapEffect(Stream.fromIterable(pieces), (text, index) =>
        Effect.as(
          index === 0 ? waitForFirstToken(pace) : Effect.sleep(toMillis(pace, tokensPerPiece)),
          toDelta(text)
        )
      ),
      Stream.make<ReadonlyArray<ChatEvent>>(
        { type: "delta", choices: [{ index: 0, events: [], end: { reason: "stop" } }] },
        { type: "end", usage: toUsage(call, tokens) }
      )
    )
  },
  ignoresCredentials: true,
  estimateWorstCase: (call) => ({
    inputTokens: call.contentBytes,
    outputTokens: call.maxOutputTokens ?? words.length
  })
})

/** Few events a second, so that the demo takes little of the machine. */
const tokensPerPiece = 12

const sentence = [
  "The",
  " answer",
  " to",
  " that",
  " is",
  " long",
  ",",
  " and",
  " made",
  " up",
  ".",
  " "
]
const words = Array.from({ length: 50 }, () => sentence).flat()

/** A longer question gets a longer answer. */
const countTokens = ({ contentBytes, maxOutputTokens = words.length }: ChatCall): number =>
  Math.max(1, Math.min(maxOutputTokens, words.length, Math.ceil(contentBytes / 3)))

/** The usual estimate of four bytes a token; long prompts are read from a cache in part. */
const toUsage = ({ contentBytes }: ChatCall, outputTokens: number): TokenUsage => {
  const inputTokens = Math.ceil(contentBytes / 4)
  return {
    inputTokens,
    outputTokens,
    ...(inputTokens > 200 ? { cachedTokens: Math.floor(inputTokens / 2) } : undefined)
  }
}

const toDelta = (text: string): ChatEvent => ({
  type: "delta",
  choices: [{ index: 0, events: [{ type: "text", text }] }]
})
