import { createOpenAI } from "@ai-sdk/openai"
import { makeAiSdkClient } from "./makeAiSdkClient.ts"
import { testChatClient } from "./testChatClient.ts"

const client = makeAiSdkClient({
  name: "ai with @ai-sdk/openai",
  make: ({ apiKey, model, root }) => createOpenAI({ apiKey, baseURL: `${root}/api/v1` })(model),
  // Without it, the provider refers to earlier items by ids, which a service that stores none cannot resolve.
  providerOptions: { openai: { store: false } },
  returnsReasoning: true
})

testChatClient(import.meta.filename, client)
