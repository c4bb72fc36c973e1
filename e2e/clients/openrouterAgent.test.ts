import { callModel, OpenRouter, tool } from "@openrouter/agent"
import { getProperty } from "../support/getProperty.ts"
import type { Asking, ChatClient, ClientReply } from "./ChatClient.ts"
import { hasClass } from "./hasClass.ts"
import { testChatClient } from "./testChatClient.ts"

const call = ({ apiKey, model, prompt, root, tools = [] }: Asking) =>
  callModel(
    new OpenRouter({ apiKey, serverURL: `${root}/api/v1`, retryConfig: { strategy: "none" } }),
    {
      model,
      input: prompt,
      // Signed reasoning is returned only on request.
      include: ["reasoning.encrypted_content"],
      tools: tools.map(({ description, name, run, schema }) =>
        tool({ name, description, inputSchema: schema, execute: (input: unknown) => run(input) })
      )
    }
  )

const toReply = async (result: ReturnType<typeof call>): Promise<ClientReply> => {
  const { usage } = await result.getResponse()
  return {
    text: await result.getText(),
    inputTokens: usage?.inputTokens,
    outputTokens: usage?.outputTokens
  }
}

const client: ChatClient = {
  name: "callModel of @openrouter/agent",
  returnsReasoning: true,
  onlyStreams: true,
  encodeResult: JSON.stringify,
  ask: (asking) => toReply(call(asking)),
  stream: async (asking, onText) => {
    const { signal } = asking
    const result = call(asking)
    signal?.addEventListener("abort", () => void result.cancel())
    for await (const text of result.getTextStream()) onText(text)
    signal?.throwIfAborted()
    return toReply(result)
  },
  isStatusError: (error, status) =>
    hasClass(error, "OpenRouterError") && getProperty(error, "statusCode") === status,
  isStreamError: (error) => error instanceof Error
}

testChatClient(import.meta.filename, client)
