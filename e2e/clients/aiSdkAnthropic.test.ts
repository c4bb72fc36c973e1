import { createAnthropic } from "@ai-sdk/anthropic"
import { makeAiSdkClient } from "./makeAiSdkClient.ts"
import { testChatClient } from "./testChatClient.ts"

const client = makeAiSdkClient({
  name: "ai with @ai-sdk/anthropic",
  make: ({ apiKey, model, root }) => createAnthropic({ apiKey, baseURL: `${root}/api/v1` })(model),
  returnsReasoning: true
})

testChatClient(import.meta.filename, client)
