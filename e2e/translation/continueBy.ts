/** The next turn of a client that sends back what it got of `proof/chat`, by each API. */
import type Anthropic from "@anthropic-ai/sdk"
import type OpenAI from "openai"
import { askChat } from "../dialects/askChat.ts"
import type { DialectServer } from "../dialects/DialectServer.ts"
import type { InboundApi } from "../dialects/InboundApi.ts"
import type { Json } from "../dialects/NativeAnswer.ts"

const question = "Is it calm at sea?"

type Continue = (server: DialectServer, isStreamed: boolean) => Promise<Json>

const continueChat: Continue = async (server, isStreamed) => {
  const said = await askChat(
    server.makeClient(),
    { model: "proof/chat", messages: [{ role: "user", content: question }] },
    isStreamed
  )
  return {
    messages: [
      { role: "user", content: question },
      {
        role: "assistant",
        content: said.content,
        // A client that does not know `extra_content`.
        ...(said.calls.length === 0
          ? undefined
          : {
              tool_calls: said.calls.map(({ arguments: text, id, name }) => ({
                id,
                type: "function",
                function: { name, arguments: text }
              }))
            }),
        reasoning_details: said.details
      },
      ...said.calls.map(({ id }) => ({ role: "tool", tool_call_id: id, content: "Calm." })),
      { role: "user", content: "And now?" }
    ]
  }
}

const continueMessages: Continue = async (server, isStreamed) => {
  const messages: Array<Anthropic.MessageParam> = [{ role: "user", content: question }]
  const body = { model: "proof/chat", max_tokens: 1_000, messages }
  const client = server.makeAnthropicClient()
  const { content } = isStreamed
    ? await client.messages.stream(body).finalMessage()
    : await client.messages.create(body)
  return {
    messages: [
      ...messages,
      { role: "assistant", content },
      {
        role: "user",
        content: [
          ...content.flatMap((block) =>
            block.type === "tool_use"
              ? [{ type: "tool_result", tool_use_id: block.id, content: "Calm." }]
              : []
          ),
          { type: "text", text: "And now?" }
        ]
      }
    ]
  }
}

const continueResponses: Continue = async (server, isStreamed) => {
  const body: OpenAI.Responses.ResponseCreateParamsNonStreaming = {
    model: "proof/chat",
    input: question,
    include: ["reasoning.encrypted_content"],
    store: false
  }
  const client = server.makeClient()
  const { output } = isStreamed
    ? await client.responses.stream({ ...body, stream: true }).finalResponse()
    : await client.responses.create(body)
  return {
    input: [
      { role: "user", content: question },
      ...output,
      ...output.flatMap((item) =>
        item.type === "function_call"
          ? [{ type: "function_call_output", call_id: item.call_id, output: "Calm." }]
          : []
      ),
      { role: "user", content: "And now?" }
    ]
  }
}

export const continueBy: Readonly<Record<InboundApi["name"], Continue>> = {
  chat: continueChat,
  messages: continueMessages,
  responses: continueResponses
}
