/** Presets by unmodified clients, on two hosts. */
import Anthropic from "@anthropic-ai/sdk"
import { ChatOpenAI } from "@langchain/openai"
import { createOpenRouter } from "@openrouter/ai-sdk-provider"
import { NotFoundResponseError } from "@openrouter/sdk/models/errors"
import { reply } from "@signalbox/testing"
import { generateText } from "ai"
import OpenAI from "openai"
import { describe, expect, test } from "vitest"
import { decisionMethods } from "../support/decisionMethods.ts"
import { hosts } from "../support/hosts.ts"
import { makeClient } from "../support/makeClient.ts"
import { keys, questions, TestServer } from "../support/TestServer.ts"

const whole = reply.json({
  id: "c",
  choices: [{ index: 0, message: { role: "assistant", content: "Hi." }, finish_reason: "stop" }],
  usage: { prompt_tokens: 1, completion_tokens: 1 }
})

const streamed = reply.events([
  { data: { id: "c", choices: [{ index: 0, delta: { content: "Hi." }, finish_reason: "stop" }] } },
  { data: "[DONE]" }
])

const chatMethod = decisionMethods.find(({ name }) => name === "logprobs") ?? decisionMethods[0]!

/** A server with the preset `brief`, which the reference client has stored. */
const start = async (host: (typeof hosts)[number], answer = whole) => {
  const server = await TestServer.start({
    host,
    mount: "/ai",
    method: {
      ...chatMethod,
      supportedParameters: [...chatMethod.supportedParameters, "temperature"]
    }
  })
  server.upstreams.first.always(answer)
  await makeClient(server, keys.member).presets.createPresetsChatCompletions({
    slug: "brief",
    chatRequest: {
      model: "proof/model",
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "hi" }
      ],
      provider: { only: ["first"] },
      temperature: 0.25
    }
  })
  return server
}

const expected = {
  model: "proof/model",
  temperature: 0.25,
  messages: [{ role: "system", content: "Be brief." }, { role: "user" }]
}

const lastSent = (server: TestServer) => server.upstreams.first.requests.at(-1)?.body

const messages = [{ role: "user" as const, content: "hi" }]

const twoHosts = hosts.filter(({ name }) => name === "Express 5" || name === "Fastify 5")

describe.each(twoHosts)("presets, against $name", (host) => {
  test("are stored, listed and read by the reference client", async () => {
    await using server = await start(host)
    const { presets } = makeClient(server, keys.member)
    const { data: second } = await presets.createPresetsMessages({
      slug: "brief",
      messagesRequest: { model: "proof/model", maxTokens: 20, messages, system: "Be briefer." }
    })
    const { data: third } = await presets.createPresetsResponses({
      slug: "brief",
      responsesRequest: { model: "proof/model", input: "hi", instructions: "Be the briefest." }
    })
    expect(second.designatedVersion?.version).toBe(2)
    expect(third).toMatchObject({
      slug: "brief",
      status: "active",
      designatedVersion: { version: 3, systemPrompt: "Be the briefest." }
    })
    expect(await presets.get({ slug: "brief" })).toEqual({ data: third })
    const listed = []
    for await (const { result } of await presets.list({ limit: 1 })) listed.push(...result.data)
    expect(listed.map(({ slug }) => slug)).toEqual(["brief"])
    const versions = []
    for await (const { result } of await presets.listVersions({ slug: "brief", limit: 2 })) {
      versions.push(...result.data.map((version) => version?.version))
    }
    expect(versions).toEqual([1, 2, 3])
    const first = await presets.getVersion({ slug: "brief", version: "1" })
    expect(first.data).toMatchObject({ version: 1, config: { temperature: 0.25 } })
    await expect(presets.get({ slug: "unknown" })).rejects.toBeInstanceOf(NotFoundResponseError)
  })

  test("are used by the reference client in chats, and with a model in Decisions", async () => {
    await using server = await start(host)
    const client = makeClient(server, keys.member)
    const completion = await client.chat.send({
      chatRequest: { model: "@preset/brief", messages, stream: false }
    })
    expect(completion).toMatchObject({ model: "proof/model" })
    expect(lastSent(server)).toMatchObject(expected)
    const { data } = await client.generations.getGeneration({
      id: "id" in completion ? completion.id : ""
    })
    expect(data.presetId).toMatch(/brief$/)
    await expect(
      client.chat.send({ chatRequest: { model: "@preset/unknown", messages } })
    ).rejects.toMatchObject({ statusCode: 400 })
    await expect(
      client.alpha.decisions.create(
        { decisionsRequest: { model: "@preset/unknown", state: "?", questions } },
        { serverURL: server.root }
      )
    ).rejects.toMatchObject({ statusCode: 400 })
  })

  test("are used by openai, whole and streamed", async () => {
    await using server = await start(host)
    const client = new OpenAI({
      apiKey: keys.member,
      baseURL: `${server.root}/api/v1`,
      maxRetries: 0
    })
    const completion = await client.chat.completions.create({
      model: "proof/model@preset/brief",
      messages
    })
    expect(completion.model).toBe("proof/model")
    expect(lastSent(server)).toMatchObject(expected)
    const response = await client.responses.create({ model: "@preset/brief", input: "hi" })
    expect(response).toMatchObject({ model: "proof/model", instructions: "Be brief." })
    expect(lastSent(server)).toMatchObject(expected)
    server.upstreams.first.always(streamed)
    const stream = await client.chat.completions.create({
      model: "@preset/brief",
      messages,
      stream: true
    })
    for await (const chunk of stream) expect(chunk.model).toBe("proof/model")
    expect(lastSent(server)).toMatchObject(expected)
    const failed: unknown = await client.chat.completions
      .create({ model: "@preset/unknown", messages })
      .catch((error: unknown) => error)
    expect(failed).toBeInstanceOf(OpenAI.BadRequestError)
  })

  test("are used by Anthropic's client", async () => {
    await using server = await start(host)
    const client = new Anthropic({
      apiKey: keys.member,
      baseURL: `${server.root}/api`,
      maxRetries: 0
    })
    const message = await client.messages.create({
      model: "@preset/brief",
      messages,
      max_tokens: 10
    })
    expect(message.model).toBe("proof/model")
    expect(lastSent(server)).toMatchObject(expected)
    const failed: unknown = await client.messages
      .create({ model: "@preset/unknown", messages, max_tokens: 10 })
      .catch((error: unknown) => error)
    expect(failed).toBeInstanceOf(Anthropic.BadRequestError)
  })

  test("are used by ai with the OpenRouter provider, by the field and by the model", async () => {
    await using server = await start(host)
    const provider = createOpenRouter({ apiKey: keys.member, baseURL: `${server.root}/api/v1` })
    for (const model of [
      provider.chat("proof/model", { extraBody: { preset: "brief" } }),
      provider.chat("@preset/brief")
    ]) {
      const { finalStep } = await generateText({ model, prompt: "hi", maxRetries: 0 })
      expect(finalStep.text).toBe("Hi.")
      expect(finalStep.response.modelId).toBe("proof/model")
      expect(lastSent(server)).toMatchObject(expected)
    }
  })

  test("are used by LangChain, by the field and by the model", async () => {
    await using server = await start(host)
    for (const fields of [
      { model: "@preset/brief" },
      { model: "proof/model", modelKwargs: { preset: "brief" } }
    ]) {
      const chat = new ChatOpenAI({
        apiKey: keys.member,
        maxRetries: 0,
        configuration: { baseURL: `${server.root}/api/v1` },
        ...fields
      })
      expect((await chat.invoke("hi")).content).toBe("Hi.")
      expect(lastSent(server)).toMatchObject(expected)
    }
  })
})
