/** Language models of the AI SDK over an instance: what a call may say, and what its result says. */
import { signalboxProvider } from "@signalbox/ai-sdk"
import type { SignalboxChatOptions } from "@signalbox/ai-sdk"
import { authenticateKey } from "@signalbox/core/ai"
import { fault, reply } from "@signalbox/testing"
import {
  createProviderRegistry,
  generateObject,
  generateText,
  InvalidArgumentError,
  type ModelMessage,
  NoSuchModelError,
  Output,
  streamText,
  UnsupportedFunctionalityError
} from "ai"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { expect, expectTypeOf, test } from "vitest"
import * as z from "zod"
import { firstFirst, startAiSdk } from "./startAiSdk.ts"

const usage = { inputTokens: 10, outputTokens: 3 }
const calm = reply.chat(["It ", "is ", "calm."], { usage })
const prompt = "Is it calm at sea?"

/** The cost in USD of `usage` at the second provider. */
const costAtSecond = 0.000_032

test("a result says who served, why, and what it cost; a record exists", async () => {
  const { ai, findRecord, first, second } = await startAiSdk()
  first.script(fault.status(529))
  second.script(calm)
  const { finalStep, text } = await generateText({
    model: ai("a/chat"),
    prompt,
    providerOptions: firstFirst
  })
  expect(text).toBe("It is calm.")
  const metadata = finalStep.providerMetadata?.["signalbox"]
  expect(metadata).toMatchObject({
    generationId: expect.stringMatching(/^gen-/),
    model: "a/chat",
    provider: "second",
    cost: costAtSecond,
    isByok: false,
    routing: {
      attempt: 2,
      ordered_by: "order",
      attempts: [
        { provider: "first", status: 529, error: "overloaded" },
        { provider: "second", status: 200 }
      ]
    }
  })
  expect(finalStep.response).toMatchObject({
    id: metadata?.["generationId"],
    modelId: "a/chat"
  })
  expect(await findRecord(metadata?.["generationId"])).toMatchObject({
    cost: 32_000n,
    attempts: [{ outcome: "overloaded" }, { outcome: "served" }]
  })
})

test("a stream says the same at its end", async () => {
  const { ai, first, second } = await startAiSdk()
  first.script(fault.status(529))
  second.script(calm)
  const result = streamText({ model: ai("a/chat"), prompt, providerOptions: firstFirst })
  expect(await result.text).toBe("It is calm.")
  const { providerMetadata, usage: counted } = await result.finalStep
  expect(providerMetadata?.["signalbox"]).toMatchObject({
    provider: "second",
    cost: costAtSecond,
    routing: { attempt: 2 }
  })
  expect(counted).toMatchObject({ inputTokens: 10, outputTokens: 3 })
})

test("a budget of the caller is enforced before a provider is asked", async () => {
  const { first, instance, second } = await startAiSdk()
  const poor = signalboxProvider(instance, { caller: { user: "ada", limit: 0.000_001 } })
  await expect(
    generateText({ model: poor("a/chat"), prompt, maxOutputTokens: 100 })
  ).rejects.toMatchObject({ name: "AI_APICallError", statusCode: 402, isRetryable: false })
  expect(first.requests.length + second.requests.length).toBe(0)
})

test("calls may be those of an API key, whose limit holds", async () => {
  const key = "sk-of-ada"
  const { first, instance, second } = await startAiSdk({
    keys: [{ key, kind: "member", user: "ada", limit: 0.000_001 }]
  })
  const caller = await Effect.runPromise(
    Effect.provide(authenticateKey(Redacted.make(key)), instance.context)
  )
  const ofKey = signalboxProvider(instance, { caller })
  await expect(
    generateText({ model: ofKey("a/chat"), prompt, maxOutputTokens: 100 })
  ).rejects.toMatchObject({ statusCode: 402, message: expect.stringContaining("Key limit") })
  expect(first.requests.length + second.requests.length).toBe(0)
})

test("a call may name its caller, and is recorded under the account", async () => {
  const { ai, findRecord, first, second } = await startAiSdk()
  for (const each of [first, second]) each.always(calm)
  const { finalStep } = await generateText({
    model: ai("a/chat"),
    prompt,
    providerOptions: {
      signalbox: {
        caller: { account: "acme", user: "ada" },
        session_id: "s-1",
        user: "u-1",
        trace: { generation_name: "calm" }
      } satisfies SignalboxChatOptions
    }
  })
  const id = finalStep.response.id
  expect(await findRecord(id)).toBeUndefined()
  expect(await findRecord(id, "acme")).toMatchObject({
    account: "acme",
    session: "s-1",
    user: "ada",
    externalUser: "u-1"
  })
})

test("a fallback model answers", async () => {
  const { ai, first, second } = await startAiSdk()
  for (const each of [first, second]) {
    each.forModel("a/chat").always(fault.status(500))
    each.forModel("a/other").always(calm)
  }
  const { finalStep } = await generateText({
    model: ai("a/chat"),
    prompt,
    providerOptions: { signalbox: { models: ["a/other"] } }
  })
  expect(finalStep.providerMetadata?.["signalbox"]).toMatchObject({ model: "a/other" })
})

test("parameters that the AI SDK has no setting for, and those of a provider, are sent", async () => {
  const { ai, first } = await startAiSdk()
  first.script(calm)
  await generateText({
    model: ai("a/chat"),
    prompt,
    temperature: 0.5,
    stopSequences: ["!"],
    seed: 7,
    providerOptions: {
      signalbox: {
        provider: { only: ["first"] },
        parallel_tool_calls: false,
        logit_bias: { "5": 1 },
        extra: { prediction: { type: "content", content: "It is" } }
      } satisfies SignalboxChatOptions
    }
  })
  expect(first.requests[0]?.body).toMatchObject({
    temperature: 0.5,
    stop: ["!"],
    seed: 7,
    logit_bias: { "5": 1 },
    prediction: { type: "content", content: "It is" }
  })
})

test.each([
  ["an option", { modls: ["a/other"] }, "providerOptions.signalbox.modls is no option; there are"],
  ["a list", [], "providerOptions.signalbox must be an object"],
  ["a word", { strictJsonSchema: "yes" }, "strictJsonSchema must be true or false"]
])("%s that is none is refused", async (_, options, message) => {
  const { ai, first, second } = await startAiSdk()
  const providerOptions = { signalbox: options as never }
  const failure = await generateText({ model: ai("a/chat"), prompt, providerOptions }).catch(
    (error: unknown) => error
  )
  expect(InvalidArgumentError.isInstance(failure)).toBe(true)
  expect(failure).toMatchObject({ message: expect.stringContaining(message) })
  expect(first.requests.length + second.requests.length).toBe(0)
})

test.each([
  ["a ttl", { cacheControl: { type: "ephemeral", ttl: 3600 } }, "cacheControl.ttl must be a text"],
  ["a detail", { detail: 2 }, "detail must be a word"]
])("%s that is a number was dropped without a word", async (_, signalbox, problem) => {
  const { ai, first, second } = await startAiSdk()
  const asking = generateText({
    model: ai("a/chat"),
    messages: [
      {
        role: "user",
        content: [
          {
            type: "file",
            mediaType: "image/png",
            data: new URL("https://harbour.example/calm.png"),
            providerOptions: { signalbox }
          }
        ]
      }
    ]
  })
  await expect(asking).rejects.toMatchObject({
    name: "AI_InvalidArgumentError",
    message: expect.stringContaining(`prompt.0.content.0.providerOptions.signalbox.${problem}`)
  })
  expect(first.requests.length + second.requests.length).toBe(0)
})

test("a misspelt preference is refused with its path", async () => {
  const { ai } = await startAiSdk()
  await expect(
    generateText({
      model: ai("a/chat"),
      prompt,
      providerOptions: { signalbox: { provider: { ordr: ["first"] } } }
    })
  ).rejects.toMatchObject({
    statusCode: 400,
    message: "provider.ordr: unknown routing preference",
    data: { error: { code: 400, metadata: { path: ["provider", "ordr"] } } }
  })
})

test("what the serving endpoint is not sent, and what cannot be sent, are warnings", async () => {
  const { ai, first } = await startAiSdk()
  first.always(calm)
  const call = {
    model: ai("a/chat"),
    prompt,
    topK: 5,
    headers: { "x-mine": "1" },
    providerOptions: { signalbox: { provider: { only: ["first"] } } }
  }
  const expected = [
    { type: "unsupported", feature: "headers" },
    {
      type: "unsupported",
      feature: "top_k",
      details: "first does not take it for a/chat, so it was not sent."
    }
  ]
  const { finalStep } = await generateText(call)
  expect(finalStep.warnings).toMatchObject(expected)
  const streamed = streamText(call)
  await streamed.consumeStream()
  expect((await streamed.finalStep).warnings).toMatchObject(expected)
  expect(first.requests[0]?.body).not.toHaveProperty("top_k")
})

test("cached and reasoning tokens are counted, and reasoning is a part", async () => {
  const { ai, first, second } = await startAiSdk()
  for (const each of [first, second]) {
    each.always(
      reply.chat("Calm.", {
        reasoning: "Hm.",
        usage,
        usageDetails: {
          prompt_tokens_details: { cached_tokens: 7 },
          completion_tokens_details: { reasoning_tokens: 2 }
        }
      })
    )
  }
  const counted = {
    inputTokens: 10,
    inputTokenDetails: { noCacheTokens: 3, cacheReadTokens: 7 },
    outputTokens: 3,
    outputTokenDetails: { textTokens: 1, reasoningTokens: 2 }
  }
  const whole = await generateText({ model: ai("a/chat"), prompt })
  expect(whole.finalStep.reasoningText).toBe("Hm.")
  expect(whole.usage).toMatchObject(counted)
  const streamed = streamText({ model: ai("a/chat"), prompt })
  expect((await streamed.finalStep).reasoningText).toBe("Hm.")
  expect(await streamed.usage).toMatchObject(counted)
})

test("sources and pictures of an answer are parts, whole and streamed", async () => {
  const { ai, first, second } = await startAiSdk()
  const said = {
    content: "Calm.",
    annotations: [
      { type: "url_citation", url_citation: { url: "https://sea.example/", title: "The sea" } }
    ],
    images: [{ type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } }]
  }
  for (const each of [first, second]) {
    each.always(
      reply.json({
        id: "c",
        model: "a/chat",
        choices: [{ index: 0, message: { role: "assistant", ...said }, finish_reason: "stop" }],
        usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
      })
    )
  }
  const whole = await generateText({ model: ai("a/chat"), prompt })
  expect(whole.sources).toMatchObject([{ url: "https://sea.example/", title: "The sea" }])
  expect(whole.files).toMatchObject([{ mediaType: "image/png", base64: "AAAA" }])
  for (const each of [first, second]) {
    each.always(
      reply.events([
        { data: { id: "c", choices: [{ index: 0, delta: said, finish_reason: "stop" }] } },
        { data: { id: "c", choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 } } },
        { data: "[DONE]" }
      ])
    )
  }
  const streamed = streamText({ model: ai("a/chat"), prompt })
  expect(await streamed.sources).toMatchObject([{ url: "https://sea.example/" }])
  expect(await streamed.files).toMatchObject([{ mediaType: "image/png", base64: "AAAA" }])
})

test("an object follows its schema", async () => {
  const { ai, first, second } = await startAiSdk()
  for (const each of [first, second]) each.always(reply.chat('{"waves":2}', { usage }))
  const schema = z.object({ waves: z.number() })
  const call = { model: ai("a/chat"), prompt, providerOptions: firstFirst }
  expect((await generateText({ ...call, output: Output.object({ schema }) })).output).toEqual({
    waves: 2
  })
  // oxlint-disable-next-line typescript/no-deprecated -- many applications still use it
  expect((await generateObject({ ...call, schema })).object).toEqual({ waves: 2 })
  expect(first.requests[0]?.body).toMatchObject({
    response_format: { type: "json_schema", json_schema: { strict: true } }
  })
})

test("a model of a registry, and of a string with a default provider, is routed", async () => {
  const { ai, first, second } = await startAiSdk()
  for (const each of [first, second]) each.always(calm)
  const registry = createProviderRegistry({ box: ai })
  expect((await generateText({ model: registry.languageModel("box:a/chat"), prompt })).text).toBe(
    "It is calm."
  )
  globalThis.AI_SDK_DEFAULT_PROVIDER = ai
  try {
    expect((await generateText({ model: "a/chat", prompt })).text).toBe("It is calm.")
  } finally {
    globalThis.AI_SDK_DEFAULT_PROVIDER = undefined
  }
})

test("raw chunks are those of Signalbox", async () => {
  const { ai, first, second } = await startAiSdk()
  for (const each of [first, second]) each.always(calm)
  const chunks: Array<unknown> = []
  const { stream } = streamText({ model: ai("a/chat"), prompt, include: { rawChunks: true } })
  for await (const part of stream) if (part.type === "raw") chunks.push(part.rawValue)
  expect(chunks.at(-1)).toMatchObject({
    object: "chat.completion.chunk",
    usage: { prompt_tokens: 10 }
  })
})

test("a streamed refusal went back as a text, and a whole one as a refusal", async () => {
  const { ai, first } = await startAiSdk()
  const providerOptions = { signalbox: { provider: { only: ["first"] } } }
  const said = { role: "assistant", content: null, refusal: "Not at sea." }
  const sent = { messages: [{ role: "user" }, said, { role: "user" }] }
  const toReply = { id: "c", model: "a/chat" }
  const tokens = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
  const call = { model: ai("a/chat"), providerOptions }
  const asked: ModelMessage = { role: "user", content: prompt }
  const sendBack = async (answered: ReadonlyArray<ModelMessage>): Promise<unknown> => {
    first.always(calm)
    await generateText({ ...call, messages: [asked, ...answered, asked] })
    return first.requests.at(-1)?.body
  }
  first.always(
    reply.json({
      ...toReply,
      choices: [{ index: 0, message: said, finish_reason: "stop" }],
      usage: tokens
    })
  )
  const whole = await generateText({ ...call, messages: [asked] })
  expect(await sendBack(whole.finalStep.response.messages)).toMatchObject(sent)
  first.always(
    reply.events([
      { data: { ...toReply, choices: [{ index: 0, delta: said, finish_reason: "stop" }] } },
      { data: { ...toReply, choices: [], usage: tokens } },
      { data: "[DONE]" }
    ])
  )
  const streamed = streamText({ ...call, messages: [asked] })
  expect(await streamed.text).toBe("Not at sea.")
  expect(await sendBack((await streamed.finalStep).response.messages)).toMatchObject(sent)
})

test("files keep their kinds, and references are those of Signalbox", async () => {
  const { ai, first } = await startAiSdk()
  first.always(calm)
  const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const providerOptions = { signalbox: { provider: { only: ["first"] } } }
  await generateText({
    model: ai("a/chat"),
    providerOptions,
    messages: [
      {
        role: "user",
        content: [
          { type: "text", text: "Look." },
          { type: "file", mediaType: "image", data: png },
          { type: "file", mediaType: "image/png", data: new URL("https://sea.example/a.png") },
          { type: "file", mediaType: "application/pdf", filename: "a.pdf", data: "JVBERi0=" },
          { type: "file", mediaType: "audio/mpeg", data: "AAAA" }
        ]
      }
    ]
  })
  expect(first.requests[0]?.body).toMatchObject({
    messages: [
      {
        role: "user",
        content: [
          { type: "text", text: "Look." },
          { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } },
          { type: "image_url", image_url: { url: "https://sea.example/a.png" } },
          {
            type: "file",
            file: { filename: "a.pdf", file_data: "data:application/pdf;base64,JVBERi0=" }
          },
          { type: "input_audio", input_audio: { data: "AAAA", format: "mp3" } }
        ]
      }
    ]
  })
  const lost = generateText({
    model: ai("a/chat"),
    messages: [
      {
        role: "user",
        content: [
          {
            type: "file",
            mediaType: "application/pdf",
            data: { type: "reference", reference: { openai: "file-1" } }
          }
        ]
      }
    ]
  })
  await expect(lost).rejects.toSatisfy((error) => UnsupportedFunctionalityError.isInstance(error))
})

test("marks for the cache are sent", async () => {
  const { ai, first } = await startAiSdk()
  first.always(calm)
  const cached = { signalbox: { cacheControl: { type: "ephemeral" } } }
  await generateText({
    model: ai("a/chat"),
    instructions: { role: "system", content: "Be brief.", providerOptions: cached },
    messages: [
      { role: "user", content: [{ type: "text", text: prompt, providerOptions: cached }] }
    ],
    providerOptions: { signalbox: { provider: { only: ["first"] } } }
  })
  const mark = { cache_control: { type: "ephemeral" } }
  expect(first.requests[0]?.body).toMatchObject({
    messages: [
      { role: "system", content: [{ type: "text", text: "Be brief.", ...mark }] },
      { role: "user", content: [{ type: "text", text: prompt, ...mark }] }
    ]
  })
  const misspelt = { signalbox: { cacheContrl: { type: "ephemeral" } } }
  await expect(
    generateText({
      model: ai("a/chat"),
      messages: [{ role: "user", content: prompt, providerOptions: misspelt }]
    })
  ).rejects.toThrow("prompt.0.providerOptions.signalbox.cacheContrl is no option")
})

test("tools of OpenRouter's API are sent, and those of other providers are warnings", async () => {
  const { ai, first } = await startAiSdk()
  first.always(calm)
  const { warnings } = await ai("a/chat").doGenerate({
    prompt: [{ role: "user", content: [{ type: "text", text: prompt }] }],
    tools: [
      { type: "provider", id: "openrouter.web_search", name: "web", args: { max_results: 3 } },
      { type: "provider", id: "openai.code_interpreter", name: "code", args: {} }
    ],
    providerOptions: { signalbox: { provider: { only: ["first"] } } }
  })
  expect(first.requests[0]?.body).toMatchObject({
    tools: [{ type: "openrouter:web_search", parameters: { max_results: 3 } }]
  })
  expect(warnings).toMatchObject([
    { type: "unsupported", feature: "provider tool openai.code_interpreter" }
  ])
})

test("a caller that may not run models is refused", async () => {
  const { instance } = await startAiSdk()
  const manager = signalboxProvider(instance, { caller: { kind: "management" } })
  await expect(generateText({ model: manager("a/chat"), prompt })).rejects.toMatchObject({
    statusCode: 403,
    isRetryable: false
  })
})

test("an empty id, an image model and anything but an instance are refused", async () => {
  const { ai, instance } = await startAiSdk()
  expect(() => ai("")).toThrow(NoSuchModelError)
  expect(() => ai.imageModel("")).toThrow(NoSuchModelError)
  expect(() => signalboxProvider(Promise.resolve(instance) as never)).toThrow(
    "did you forget `await Signalbox.make()`?"
  )
  expect(() => signalboxProvider(instance, { user: "ada" } as never)).toThrow("user is no option")
})

test("its options fit those of the AI SDK", () => {
  type Options = NonNullable<Parameters<typeof generateText>[0]["providerOptions"]>
  expectTypeOf<SignalboxChatOptions>().toExtend<Options[string]>()
})
