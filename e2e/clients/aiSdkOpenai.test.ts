import { createOpenAI } from "@ai-sdk/openai"
import { makeAiSdkClient } from "./makeAiSdkClient.ts"
import { testChatClient } from "./testChatClient.ts"

const client = makeAiSdkClient({
  name: "ai with @ai-sdk/openai",
  make: ({ apiKey, model, root }) => createOpenAI({ apiKey, baseURL: `${root}/api/v1` })(model),
  // Otherwise it refers to earlier items by ids, which a service that stores none cannot resolve, and asks for signed
  // reasoning of the models alone that it knows.
  providerOptions: { openai: { store: false, include: ["reasoning.encrypted_content"] } },
  returnsReasoning: true
})

testChatClient(import.meta.filename, client)
