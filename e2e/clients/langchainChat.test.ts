import { ChatOpenAI } from "@langchain/openai"
import { makeLangChainClient } from "./makeLangChainClient.ts"
import { testChatClient } from "./testChatClient.ts"

const client = makeLangChainClient({
  name: "ChatOpenAI of @langchain/openai",
  make: ({ apiKey, model, root }) =>
    new ChatOpenAI({ apiKey, model, maxRetries: 0, configuration: { baseURL: `${root}/api/v1` } }),
  errorClass: "OpenAIError",
  returnsReasoning: false
})

testChatClient(import.meta.filename, client)
