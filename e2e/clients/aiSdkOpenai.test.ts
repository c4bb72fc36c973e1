import { createOpenAI } from "@ai-sdk/openai"
import { pickScope } from "../../vitest.scope.ts"
import { makeAiSdkClient } from "./makeAiSdkClient.ts"
import { testChatClient } from "./testChatClient.ts"

const responses = makeAiSdkClient({
  name: "ai with @ai-sdk/openai",
  make: ({ apiKey, model, root }) => createOpenAI({ apiKey, baseURL: `${root}/api/v1` })(model),
  // Otherwise it refers to earlier items by ids, which a service that stores none cannot resolve, and asks for signed
  // reasoning of the models alone that it knows.
  providerOptions: { openai: { store: false, include: ["reasoning.encrypted_content"] } },
  returnsReasoning: true
})

const chat = makeAiSdkClient({
  name: "ai with the chat models of @ai-sdk/openai",
  make: ({ apiKey, model, root }) =>
    createOpenAI({ apiKey, baseURL: `${root}/api/v1` }).chat(model),
  returnsReasoning: false,
  // It reads a chunk either as a choice or as an error, and OpenRouter's API has both in one. The finish reason is `other`.
  overlooksStreamErrors: true
})

for (const client of pickScope({ full: [responses, chat], sample: [responses] })) {
  testChatClient(import.meta.filename, client)
}
