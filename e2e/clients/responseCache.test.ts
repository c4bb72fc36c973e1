/** The cache of responses by unmodified clients, on two hosts. */
import Anthropic from "@anthropic-ai/sdk"
import type { UsageMetadata } from "@langchain/core/messages"
import { ChatOpenAI } from "@langchain/openai"
import { createOpenRouter } from "@openrouter/ai-sdk-provider"
import { OpenRouter } from "@openrouter/sdk"
import { reply } from "@signalbox/testing"
import { generateText, streamText } from "ai"
import OpenAI from "openai"
import { describe, expect, onTestFinished, test } from "vitest"
import { decisionMethods } from "../support/decisionMethods.ts"
import { hosts } from "../support/hosts.ts"
import { keys, TestServer } from "../support/TestServer.ts"

const headers = { "X-OpenRouter-Cache": "true", "X-OpenRouter-Cache-TTL": "600" }
const usage = { inputTokens: 10, outputTokens: 3 }
const model = "proof/model"
const messages = [{ role: "user" as const, content: "Is it calm?" }]

interface Answer {
  readonly text: string
  readonly tokens: number | undefined
}

/** The second answer is that of the first, for nothing. */
const cached = {
  first: { text: "It is calm.", tokens: 13 },
  second: { text: "It is calm.", tokens: 0 },
  calls: 1
}

const readMessage = ({ content, usage: used }: Anthropic.Message): Answer => ({
  text: content.map((block) => (block.type === "text" ? block.text : "")).join(""),
  tokens: used.input_tokens + used.output_tokens
})

/** LangChain leaves out a usage of nothing. */
const countTokens = ({
  usage_metadata: used
}: {
  readonly usage_metadata?: UsageMetadata | undefined
}): number => used?.total_tokens ?? 0

const twoHosts = hosts.filter(({ name }) => name === "Express 5" || name === "Fastify 5")

describe.each(twoHosts)("against $name", (host) => {
  const start = async () => {
    const server = await TestServer.start({
      host,
      mount: "/ai",
      method: decisionMethods[1]!,
      price: { prompt: "0.000001", completion: "0.000002" }
    })
    onTestFinished(() => server[Symbol.asyncDispose]())
    for (const upstream of Object.values(server.upstreams))
      upstream.always(reply.chat(["It ", "is ", "calm."], { usage }))
    const askTwice = async (ask: () => Promise<Answer>) => {
      const before = server.calls.first + server.calls.second
      const first = await ask()
      const second = await ask()
      return { first, second, calls: server.calls.first + server.calls.second - before }
    }
    const baseURL = `${server.root}/api/v1`
    return { askTwice, baseURL, server }
  }

  test("openai, whole and streamed, by chats and responses", async () => {
    const { askTwice, baseURL } = await start()
    const client = new OpenAI({
      apiKey: keys.member,
      baseURL,
      defaultHeaders: headers,
      maxRetries: 0
    })
    expect(
      await askTwice(async () => {
        const { choices, usage: used } = await client.chat.completions.create({ model, messages })
        return { text: choices[0]?.message.content ?? "", tokens: used?.total_tokens }
      })
    ).toEqual(cached)
    expect(
      await askTwice(async () => {
        let text = ""
        let tokens: number | undefined
        const stream = await client.chat.completions.create({
          model,
          messages,
          stream: true,
          stream_options: { include_usage: true }
        })
        for await (const { choices, usage: used } of stream) {
          text += choices[0]?.delta.content ?? ""
          tokens = used?.total_tokens ?? tokens
        }
        return { text, tokens }
      })
    ).toEqual(cached)
    expect(
      await askTwice(async () => {
        const { output_text: text, usage: used } = await client.responses.create({
          model,
          input: "Is it calm?"
        })
        return { text, tokens: used?.total_tokens }
      })
    ).toEqual(cached)
    expect(
      await askTwice(async () => {
        const stream = client.responses.stream({ model, input: "Is it calm?" })
        const { output_text: text, usage: used } = await stream.finalResponse()
        return { text, tokens: used?.total_tokens }
      })
    ).toEqual(cached)
    const { response } = await client.chat.completions.create({ model, messages }).withResponse()
    expect(response.headers.get("x-openrouter-cache-status")).toBe("HIT")
    expect(Number(response.headers.get("x-openrouter-cache-ttl"))).toBeLessThanOrEqual(600)
    const cleared = await client.chat.completions
      .create({ model, messages }, { headers: { "X-OpenRouter-Cache-Clear": "true" } })
      .withResponse()
    expect(cleared.response.headers.get("x-openrouter-cache-status")).toBe("MISS")
    const refused = await client.chat.completions
      .create({ model, messages }, { headers: { "X-OpenRouter-Cache": "false" } })
      .withResponse()
    expect(refused.response.headers.get("x-openrouter-cache-status")).toBeNull()
  })

  test("@openrouter/sdk, whole and streamed, and the record of a hit", async () => {
    const { askTwice, baseURL } = await start()
    const client = new OpenRouter({
      apiKey: keys.member,
      serverURL: baseURL,
      retryConfig: { strategy: "none" }
    })
    const options = { headers }
    const ids: Array<string> = []
    expect(
      await askTwice(async () => {
        const completion = await client.chat.send(
          { chatRequest: { model, messages, stream: false } },
          options
        )
        if (!("choices" in completion)) throw new Error("the answer is a stream")
        ids.push(completion.id)
        const content = completion.choices[0]?.message.content
        return {
          text: typeof content === "string" ? content : "",
          tokens: completion.usage?.totalTokens
        }
      })
    ).toEqual(cached)
    expect(
      await askTwice(async () => {
        let text = ""
        let tokens: number | undefined
        const stream = await client.chat.send(
          { chatRequest: { model, messages, stream: true } },
          options
        )
        if ("choices" in stream) throw new Error("the answer is no stream")
        for await (const { choices, usage: used } of stream) {
          text += choices[0]?.delta.content ?? ""
          tokens = used?.totalTokens ?? tokens
        }
        return { text, tokens }
      })
    ).toEqual(cached)
    const [source, hit] = ids
    const { data } = await client.generations.getGeneration({ id: hit! })
    expect(data).toMatchObject({ id: hit, responseCacheSourceId: source, totalCost: 0 })
  })

  test("Anthropic's client, whole and streamed", async () => {
    const { askTwice, server } = await start()
    const client = new Anthropic({
      apiKey: keys.member,
      baseURL: `${server.root}/api`,
      defaultHeaders: headers,
      maxRetries: 0
    })
    const body = { model, messages, max_tokens: 100 }
    expect(await askTwice(async () => readMessage(await client.messages.create(body)))).toEqual(
      cached
    )
    expect(
      await askTwice(async () => readMessage(await client.messages.stream(body).finalMessage()))
    ).toEqual(cached)
  })

  test("ai with the OpenRouter provider, whole and streamed", async () => {
    const { askTwice, baseURL } = await start()
    const provider = createOpenRouter({ apiKey: keys.member, baseURL, headers })
    const asked = { model: provider.chat(model), prompt: "Is it calm?", maxRetries: 0 }
    expect(
      await askTwice(async () => {
        const { text, usage: used } = await generateText(asked)
        return { text, tokens: used.totalTokens }
      })
    ).toEqual(cached)
    expect(
      await askTwice(async () => {
        const { text, usage: used } = streamText(asked)
        return { text: await text, tokens: (await used).totalTokens }
      })
    ).toEqual(cached)
  })

  test("LangChain, whole and streamed", async () => {
    const { askTwice, baseURL } = await start()
    const chat = new ChatOpenAI({
      apiKey: keys.member,
      model,
      maxRetries: 0,
      configuration: { baseURL, defaultHeaders: headers }
    })
    expect(
      await askTwice(async () => {
        const message = await chat.invoke("Is it calm?")
        return { text: message.text, tokens: countTokens(message) }
      })
    ).toEqual(cached)
    expect(
      await askTwice(async () => {
        let text = ""
        let tokens = 0
        for await (const chunk of await chat.stream("Is it calm?")) {
          text += chunk.text
          tokens += countTokens(chunk)
        }
        return { text, tokens }
      })
    ).toEqual(cached)
  })
})
