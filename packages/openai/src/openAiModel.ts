/** What every model takes in chats at OpenAI, and at Azure, which serves the same API. */
import type { ChatServerModel } from "@signalbox/core/dialects"

export const openAiModel: ChatServerModel = {
  takesAllowedTools: true,
  takesDeveloper: true,
  // https://platform.openai.com/docs/api-reference/chat/create#chat-create-stop
  maxStop: 4,
  // "The 'metadata' parameter is only allowed when 'store' is enabled" (https://github.com/tmc/langchaingo/issues/1484).
  takesLooseMetadata: false
}

/** The fields of the router that its servers know as well: https://platform.openai.com/docs/api-reference/chat/create. */
export const openAiServerFields: ReadonlyArray<string> = ["metadata"]
