/** Without an option, the AI SDK's provider for OpenAI refers to stored items, which this service does not have. */
import { createOpenAI } from "@ai-sdk/openai"
import { APICallError } from "ai"
import { expect, test } from "vitest"
import { nodeHost } from "../support/hosts.ts"
import { makeAiSdkClient } from "./makeAiSdkClient.ts"
import { clientDialects, startClientServer, usage } from "./startClientServer.ts"
import { makeLoopSteps, makeLoopTools } from "./toolLoop.ts"

const client = makeAiSdkClient({
  name: "ai with @ai-sdk/openai",
  make: ({ apiKey, model, root }) => createOpenAI({ apiKey, baseURL: `${root}/api/v1` })(model),
  returnsReasoning: false
})

test.each(clientDialects)(
  "a reference to an item is refused, and the option is named; provider of %s",
  async (dialect) => {
    const { asking, first } = await startClientServer(nodeHost, dialect)
    first.script(...makeLoopSteps(dialect, usage))
    const { tools } = makeLoopTools()
    await expect(client.ask({ ...asking, tools })).rejects.toSatisfy(
      (error) =>
        APICallError.isInstance(error) &&
        error.statusCode === 400 &&
        error.message.includes("`store: false`")
    )
    expect(first.requests).toHaveLength(1)
  }
)
