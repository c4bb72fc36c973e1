import { createOpenRouter } from "@openrouter/ai-sdk-provider"
import { makeAiSdkClient } from "./makeAiSdkClient.ts"
import { testChatClient } from "./testChatClient.ts"

const client = makeAiSdkClient({
  name: "ai with @openrouter/ai-sdk-provider",
  make: ({ apiKey, model, root }) =>
    createOpenRouter({ apiKey, baseURL: `${root}/api/v1` }).chat(model),
  returnsReasoning: true
})

testChatClient(import.meta.filename, client)
