/** What unmodified clients send of their own accord is not told as ignored, at providers of any API. */
import Anthropic from "@anthropic-ai/sdk"
import { HumanMessage } from "@langchain/core/messages"
import { tool as makeTool } from "@langchain/core/tools"
import { ChatOpenAI } from "@langchain/openai"
import { createOpenRouter } from "@openrouter/ai-sdk-provider"
import { OpenRouter } from "@openrouter/sdk"
import { HTTPClient } from "@openrouter/sdk/lib/http.js"
import { generateText, Output, streamText, stepCountIs, tool } from "ai"
import OpenAI from "openai"
import { describe, expect, test } from "vitest"
import * as z from "zod"
import { DialectServer, memberKey } from "../dialects/DialectServer.ts"
import { type ProviderDialect, providerDialects } from "../dialects/ProviderDialect.ts"
import { sendNative } from "../dialects/sendNative.ts"
import { speak } from "../dialects/speak.ts"
import { hosts } from "../support/hosts.ts"

const call = { id: "call_1", name: "look", arguments: ['{"where":"sea"}'] }
const calling = speak({ said: [{ call }] })
const answering = speak({ said: [{ text: ['{"calm":', "true}"] }] })

const description = "Looks at a place"
const schema = z.object({ where: z.string() })
const answerSchema = z.object({ calm: z.boolean() })
const prompt = "Is it calm at sea?"
const system = "Be brief."

interface Client {
  readonly root: string
  readonly model: string
  readonly fetch: typeof fetch
}

/** Each calls a tool, answers, whole or streamed, and asks for JSON. */
const clients: Readonly<Record<string, (client: Client) => Promise<void>>> = {
  openai: async ({ fetch, model, root }) => {
    const client = new OpenAI({
      apiKey: memberKey,
      baseURL: `${root}/api/v1`,
      fetch,
      maxRetries: 0
    })
    const messages: Array<OpenAI.ChatCompletionMessageParam> = [
      { role: "developer", content: system },
      { role: "user", content: prompt }
    ]
    const tools: Array<OpenAI.ChatCompletionTool> = [
      {
        type: "function",
        function: { name: "look", description, parameters: z.toJSONSchema(schema) }
      }
    ]
    const { choices } = await client.chat.completions.create({ model, messages, tools })
    messages.push(choices[0]!.message, { role: "tool", tool_call_id: "call_1", content: "calm" })
    const stream = client.chat.completions.stream({
      model,
      messages,
      tools,
      stream_options: { include_usage: true }
    })
    messages.push((await stream.finalChatCompletion()).choices[0]!.message, {
      role: "user",
      content: prompt
    })
    await client.chat.completions.parse({
      model,
      messages,
      response_format: {
        type: "json_schema",
        json_schema: { name: "calm", strict: true, schema: z.toJSONSchema(answerSchema) }
      }
    })
    await client.responses.create({ model, input: prompt, instructions: system, store: false })
  },
  anthropic: async ({ fetch, model, root }) => {
    const client = new Anthropic({
      apiKey: memberKey,
      baseURL: `${root}/api`,
      fetch,
      maxRetries: 0
    })
    const messages: Array<Anthropic.MessageParam> = [{ role: "user", content: prompt }]
    const base = { model, max_tokens: 2_000, system }
    const tools = [{ name: "look", description, input_schema: { type: "object" as const } }]
    const { content } = await client.messages.create({ ...base, messages, tools })
    const result = { type: "tool_result" as const, tool_use_id: "call_1", content: "calm" }
    const id = content.find((block) => block.type === "tool_use")?.id ?? "call_1"
    messages.push(
      { role: "assistant", content },
      { role: "user", content: [{ ...result, tool_use_id: id }] }
    )
    await client.messages.stream({ ...base, messages, tools }).finalMessage()
  },
  "@openrouter/sdk": async ({ fetch, model, root }) => {
    const client = new OpenRouter({
      apiKey: memberKey,
      serverURL: `${root}/api/v1`,
      retryConfig: { strategy: "none" },
      httpClient: new HTTPClient({ fetcher: fetch })
    })
    const messages = [
      { role: "system" as const, content: system },
      { role: "user" as const, content: prompt }
    ]
    const tools = [
      { type: "function" as const, function: { name: "look", parameters: z.toJSONSchema(schema) } }
    ]
    await client.chat.send({ chatRequest: { model, messages, tools, stream: false } })
    const stream = await client.chat.send({ chatRequest: { model, messages, stream: true } })
    if (!(Symbol.asyncIterator in stream)) throw new Error("no stream")
    for await (const _ of stream) continue
  },
  "ai with @openrouter/ai-sdk-provider": async ({ fetch, model, root }) => {
    const provider = createOpenRouter({ apiKey: memberKey, baseURL: `${root}/api/v1`, fetch })
    const asked = {
      model: provider.chat(model),
      system,
      prompt,
      stopWhen: stepCountIs(2),
      tools: { look: tool({ description, inputSchema: schema, execute: () => "calm" }) }
    }
    await generateText(asked)
    await streamText(asked).consumeStream()
    await generateText({
      model: provider.chat(model),
      prompt,
      output: Output.object({ schema: answerSchema })
    })
  },
  LangChain: async ({ fetch, model, root }) => {
    const chat = new ChatOpenAI({
      apiKey: memberKey,
      model,
      maxRetries: 0,
      configuration: { baseURL: `${root}/api/v1`, fetch }
    })
    const bound = chat.bindTools([makeTool(() => "calm", { name: "look", description, schema })])
    const asked = new HumanMessage(prompt)
    const answer = await bound.invoke([asked])
    for await (const _ of await bound.stream([
      asked,
      answer,
      { role: "tool", content: "calm", tool_call_id: "call_1" }
    ])) {
      continue
    }
    await chat.withStructuredOutput(answerSchema).invoke([asked])
  }
}

describe.each(hosts.slice(1, 3))("behind $name", (host) => {
  test.each(
    Object.keys(clients).flatMap((name) =>
      providerDialects.map((dialect): readonly [string, ProviderDialect] => [name, dialect])
    )
  )("%s at a provider of %s", { timeout: 60_000 }, async (name, dialect) => {
    const asked = new Set<string>()
    await using server = await DialectServer.start({
      host,
      answer: (request, response) => {
        const text = JSON.stringify(request.json)
        const isFirst =
          text.includes('"look"') &&
          !/tool_result|"tool"|function_call_output|functionResponse/.test(text)
        sendNative((isFirst ? calling : answering)[dialect], request, response)
      }
    })
    const told: Array<string> = []
    await clients[name]!({
      root: server.root,
      model: `proof/${dialect}`,
      fetch: async (input, init) => {
        const response = await fetch(input, init)
        asked.add(String(response.status))
        told.push(...(response.headers.get("x-signalbox-ignored")?.split(", ") ?? []))
        return response
      }
    })
    expect([[...asked], told]).toEqual([["200"], []])
  })
})
