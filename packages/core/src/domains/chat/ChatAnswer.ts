/** A whole answer of a chat, before it is written in the form of an API. */
import { writeChatMessage } from "../../dialects/chat/writeAnswer.ts"
import type { ChatReply } from "../../engine/upstreams/ChatCapability.ts"
import type { GenerationId } from "../../values/ids/GenerationId.ts"
import type { TokenUsage } from "../../values/usage/TokenUsage.ts"
import type { AnswerHead, ChatCompletion, ChatUsage } from "./ChatCompletion.ts"
import type { AssistantMessage } from "./request/ChatRequestMessage.ts"
import { toChunkMarks } from "./stream/ChunkEncoder.ts"

/** What the router says at the end of an answer. */
export interface ChatEnd {
  /** The usage and cost of all attempts, in the fields of the chat API. */
  readonly usage: ChatUsage
  /** The sum over all attempts; absent: no provider reported it and it was not estimated. */
  readonly tokens?: TokenUsage
  /**
   * USD that providers charge the account for its own credentials; absent: none was used, or the provider did not
   * report it.
   */
  readonly upstreamCost?: number
}

/** The reply of the provider that served, and what the router says about it. */
export interface ChatAnswer extends AnswerHead, ChatEnd {
  readonly id: GenerationId
  readonly reply: ChatReply
}

export const toChatCompletion = ({
  id,
  model,
  provider,
  reply,
  startedAt,
  usage
}: ChatAnswer): ChatCompletion => ({
  id,
  object: "chat.completion",
  created: Math.floor(startedAt / 1_000),
  model,
  provider,
  choices: toChoices(reply),
  system_fingerprint: null,
  ...toChunkMarks(reply),
  usage
})

const toChoices = ({ choices }: ChatReply): ChatCompletion["choices"] =>
  choices.map(({ answer, index, native }) => {
    const { end, logprobs = null } = answer
    return {
      index,
      // Content is passed through unchecked; the type is the dialect's specification.
      message: (native ?? writeChatMessage(answer)) as unknown as AssistantMessage,
      finish_reason: end.reason,
      native_finish_reason: end.nativeReason ?? end.reason,
      logprobs
    }
  })
