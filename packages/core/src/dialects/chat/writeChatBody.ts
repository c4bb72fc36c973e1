/** The body of a call for a server of the chat dialect: the caller's own, or written from the conversation. */
import * as Result from "effect/Result"
import type { ChatCall } from "../../engine/upstreams/ChatCapability.ts"
import type { UpstreamFailure } from "../../engine/upstreams/failures/UpstreamFailure.ts"
import { type ChatBody, toChatBody } from "../../engine/upstreams/openaiChat/ChatBody.ts"
import { nameReasoning } from "./reasoningText.ts"
import { findOutputCapName } from "./outputCap.ts"
import { writeChatRequest } from "./writeRequest.ts"

/** A chat in its own dialect is not read. */
export const writeChatBody = (call: ChatCall): Result.Result<ChatBody, UpstreamFailure> => {
  const { native, onChange, supportedParameters } = call
  if (native.dialect === "chat") return Result.succeed(toChatBody(native.body))
  return Result.map(call.conversation, (said) => {
    const { messages, parameters } = writeChatRequest(said, { takesToolImages: true })
    const { max_tokens: cap, ...others } = parameters
    const name = findOutputCapName(parameters, supportedParameters)
    const named = cap === undefined || name === undefined ? others : { ...others, [name]: cap }
    return {
      ...nameReasoning(named, { native, onChange, supportedParameters }, said.maxOutputTokens),
      messages
    }
  })
}
