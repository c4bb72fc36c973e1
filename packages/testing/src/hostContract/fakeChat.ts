/** A model that repeats the last message word by word. If it contains `wait`, the model stalls after one word. */
import type { Conversation } from "@signalbox/core/dialects"
import type { ChatCapability, ChatEvent } from "@signalbox/core/upstream"
import { UpstreamFailure } from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"

/** The domain of interns that use this model. */
export const internDomain = "interns.example.com"

const makeDelta = (text: string): ChatEvent => ({
  type: "delta",
  choices: [{ index: 0, events: [{ type: "text", text }] }]
})

const end: ChatEvent = { type: "end", usage: { inputTokens: 3, outputTokens: 2 } }

export const fakeChat: ChatCapability = {
  estimateWorstCase: () => ({ inputTokens: 1, outputTokens: 1 }),
  complete: () => Effect.fail(new UpstreamFailure({ kind: "not_served" })),
  stream: ({ conversation }) => {
    const requested = Result.isSuccess(conversation) ? getLastText(conversation.success) : ""
    return requested === "wait"
      ? Stream.concat(Stream.make(makeDelta("Yes.")), Stream.never)
      : Stream.fromIterable([...requested.split(/(?<= )/).map(makeDelta), end])
  }
}

const getLastText = ({ turns }: Conversation): string => {
  const part = turns.at(-1)?.parts.at(-1)
  return part?.type === "text" ? part.text : ""
}
