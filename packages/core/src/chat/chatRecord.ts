/** What the record of a chat says of its answer, whole or begun. */
import * as Exit from "effect/Exit"
import type { Content } from "../observability/IoLog.ts"
import type { AnswerFacts } from "../routing/generationOf.ts"
import type { Routed } from "../routing/Query.ts"
import type { RoutingError } from "../routing/Routing.ts"
import type { ChatChoice, ChatReply } from "../upstreams/ChatCapability.ts"
import type { ParsedChat } from "./parseChatRequest.ts"

export const factsOf = ({ choices, model }: ChatReply): AnswerFacts => {
  const finishReason = choices[0]?.finishReason ?? undefined
  return { model, ...(finishReason === undefined ? undefined : { finishReason }) }
}

/** `begun`: what the caller has of an answer that came to no end. */
export const contentOf = (
  { bytes, messages, parameters }: ParsedChat,
  exit: Exit.Exit<Routed<ChatReply>, RoutingError>,
  begun: ReadonlyArray<ChatChoice>
): Content => {
  const choices = Exit.isSuccess(exit) ? exit.value.value.choices : begun
  return {
    bytes,
    input: { ...parameters, messages },
    ...(choices.length === 0
      ? undefined
      : {
          output: choices.map(({ finishReason, index, message }) => ({
            index,
            message,
            finish_reason: finishReason
          }))
        })
  }
}
