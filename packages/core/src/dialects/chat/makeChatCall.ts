/** Makes the call of a chat in OpenAI's dialect without a router, for tests of upstreams and for their callers. */
import * as Result from "effect/Result"
import type { Conversation } from "../../conversation/Conversation.ts"
import type { ChatCall } from "../../engine/upstreams/ChatCapability.ts"
import type { ChatFacts } from "../../engine/upstreams/ChatFacts.ts"
import type { UpstreamFailure } from "../../engine/upstreams/failures/UpstreamFailure.ts"
import type { ChatBodyMessage } from "../../engine/upstreams/openaiChat/ChatBody.ts"
import { findChatFacts } from "../../engine/upstreams/openaiChat/chatFacts.ts"
import { toUnsupported } from "../UntranslatableRequest.ts"
import { parseChatConversation } from "./parseRequest.ts"

/** What a call is made of. */
export interface ChatCallInput extends Omit<ChatCall, "conversation" | "facts" | "native"> {
  readonly messages: ReadonlyArray<ChatBodyMessage>
  /** Parameters by their names in the chat dialect; default: none. */
  readonly parameters?: Readonly<Record<string, unknown>>
  /** The same request in the API of its caller; default: the messages and the parameters. */
  readonly native?: ChatCall["native"]
}

export const makeChatCall = ({
  messages,
  native,
  parameters = {},
  ...rest
}: ChatCallInput): ChatCall => {
  let conversation: Result.Result<Conversation, UpstreamFailure> | undefined
  let facts: ChatFacts | undefined
  const body = { ...parameters, messages }
  const { service_tier: tier } = parameters
  return {
    ...(typeof tier === "string" ? { serviceTier: tier } : undefined),
    ...rest,
    native: native ?? { dialect: "chat", body },
    get conversation() {
      return (conversation ??= Result.mapError(
        parseChatConversation({ messages, parameters }),
        toUnsupported
      ))
    },
    get facts() {
      return (facts ??= findChatFacts(body))
    }
  }
}
