import { ChatAnthropic } from "@langchain/anthropic"
import { makeLangChainClient } from "./makeLangChainClient.ts"
import { testChatClient } from "./testChatClient.ts"

const client = makeLangChainClient({
  name: "ChatAnthropic of @langchain/anthropic",
  make: ({ apiKey, model, root }) =>
    new ChatAnthropic({ apiKey, model, maxRetries: 0, anthropicApiUrl: `${root}/api` }),
  errorClass: "AnthropicError",
  returnsReasoning: true,
  extractTool: "extract",
  readsInputTokensAtStart: true
})

testChatClient(import.meta.filename, client)
