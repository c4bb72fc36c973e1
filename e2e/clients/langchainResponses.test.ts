import { ChatOpenAI } from "@langchain/openai"
import { makeLangChainClient } from "./makeLangChainClient.ts"
import { testChatClient } from "./testChatClient.ts"

const client = makeLangChainClient({
  name: "ChatOpenAI of @langchain/openai with useResponsesApi",
  make: ({ apiKey, model, root }) =>
    new ChatOpenAI({
      apiKey,
      model,
      useResponsesApi: true,
      // Signed reasoning is returned only on request.
      modelKwargs: { include: ["reasoning.encrypted_content"] },
      maxRetries: 0,
      configuration: { baseURL: `${root}/api/v1` }
    }),
  errorClass: "OpenAIError",
  returnsReasoning: true
})

testChatClient(import.meta.filename, client)
