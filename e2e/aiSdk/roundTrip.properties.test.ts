/** Both directions of `@signalbox/ai-sdk` in a row: the AI SDK over an instance whose upstream is a model of the AI SDK. */
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart
} from "@ai-sdk/provider"
import { fromAiSdk, signalboxProvider } from "@signalbox/ai-sdk"
import { Signalbox } from "@signalbox/node"
import { generateText, jsonSchema, type ModelMessage, streamText, type ToolSet } from "ai"
import * as fc from "fast-check"
import { expect, onTestFinished, test } from "vitest"

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: 1, reasoning: undefined }
}
const finishReason = { unified: "stop", raw: "end_turn" } as const

/** A model that answers with `say`, and keeps what it was called with. */
const makeModel = (say: () => ReadonlyArray<LanguageModelV4Content>) => {
  const calls: Array<LanguageModelV4CallOptions> = []
  const model: LanguageModelV4 = {
    specificationVersion: "v4",
    provider: "hall.chat",
    modelId: "hall",
    supportedUrls: {},
    doGenerate: (options) => {
      calls.push(options)
      return Promise.resolve({ content: [...say()], finishReason, usage, warnings: [] })
    },
    doStream: (options) => {
      calls.push(options)
      const parts = [...say().flatMap(toParts), { type: "finish" as const, finishReason, usage }]
      return Promise.resolve({ stream: ReadableStream.from(parts) })
    }
  }
  return { calls, model }
}

const toParts = (
  content: LanguageModelV4Content,
  index: number
): ReadonlyArray<LanguageModelV4StreamPart> => {
  if (content.type !== "reasoning" && content.type !== "text") {
    return content.type === "tool-call" ? [content] : []
  }
  const id = String(index)
  const { text, type } = content
  const metadata =
    content.providerMetadata === undefined ? {} : { providerMetadata: content.providerMetadata }
  return [
    { type: `${type}-start`, id },
    { type: `${type}-delta`, id, delta: text },
    { type: `${type}-end`, id, ...metadata }
  ]
}

const start = async (say: () => ReadonlyArray<LanguageModelV4Content>) => {
  const { calls, model } = makeModel(say)
  const price = { prompt: "0", completion: "0" }
  const signalbox = await Signalbox.make({
    upstreams: [fromAiSdk(model, { slug: "hall" })],
    models: [{ id: "a/b", endpoints: [{ provider: "hall", price, contextLength: 10_000_000 }] }]
  })
  onTestFinished(() => signalbox.close())
  return { calls, model: signalboxProvider(signalbox)("a/b") }
}

const text = fc.string({ minLength: 1, maxLength: 20 })
const name = fc.stringMatching(/^[a-zA-Z0-9_-]{1,20}$/)
const json = fc.jsonValue({ maxDepth: 2 })
const input = fc
  .dictionary(fc.oneof(text, fc.constant("__proto__")), json, { noNullPrototype: true })
  .map((value): unknown => JSON.parse(JSON.stringify(value)))
/** The AI SDK refuses inputs with a key `__proto__`. */
const checkedInput = fc
  .dictionary(fc.stringMatching(/^[a-z]{1,9}$/), json, { noNullPrototype: true })
  .map((value): unknown => JSON.parse(JSON.stringify(value)))
const base64 = fc.base64String({ minLength: 4, maxLength: 20 })

const textPart = text.map((words) => ({ type: "text" as const, text: words }))
const filePart = fc.oneof(
  fc.record({
    type: fc.constant("file" as const),
    mediaType: fc.constantFrom("image/png", "audio/wav", "video/mp4", "application/pdf"),
    data: fc.record({ type: fc.constant("data" as const), data: base64 })
  }),
  fc.record({
    type: fc.constant("file" as const),
    mediaType: fc.constant("image/png"),
    data: fc.record({
      type: fc.constant("url" as const),
      url: fc.nat().map((number) => new URL(`https://sea.example/${number}.png`))
    })
  })
)

/** An answer that may have called tools, and their results. */
const makeTurn = (
  output: fc.Arbitrary<Extract<LanguageModelV4Message, { role: "tool" }>["content"][number]>
): fc.Arbitrary<ReadonlyArray<LanguageModelV4Message>> =>
  fc
    .record({
      said: textPart,
      calls: fc.uniqueArray(fc.record({ id: name, toolName: name, input, output }), {
        selector: ({ id }) => id,
        maxLength: 2
      })
    })
    .map(({ calls, said }) => [
      {
        role: "assistant",
        content: [
          said,
          ...calls.map(({ id, input: given, toolName }) => ({
            type: "tool-call" as const,
            toolCallId: id,
            toolName,
            input: given
          }))
        ]
      },
      ...(calls.length === 0
        ? []
        : [
            {
              role: "tool" as const,
              content: calls.map(({ id, output: part, toolName }) => ({
                ...part,
                toolCallId: id,
                toolName
              }))
            }
          ])
    ])

type Result = Extract<LanguageModelV4Message, { role: "tool" }>["content"][number]

const toResult = (output: unknown): Result =>
  ({ type: "tool-result", toolCallId: "", toolName: "", output }) as Result

const textResult = text.map((value) => toResult({ type: "text", value }))
const anyResult = fc.oneof(
  textResult,
  text.map((value) => toResult({ type: "error-text", value })),
  json.map((value) => toResult({ type: "json", value })),
  json.map((value) => toResult({ type: "error-json", value })),
  text.map((reason) => toResult({ type: "execution-denied", reason })),
  fc
    .array(fc.oneof(textPart, filePart), { minLength: 1, maxLength: 3 })
    .map((value) => toResult({ type: "content", value }))
)

const makePrompt = (result: fc.Arbitrary<Result>): fc.Arbitrary<LanguageModelV4Prompt> => {
  const user = fc
    .array(fc.oneof(textPart, filePart), { minLength: 1, maxLength: 3 })
    .map((content): ReadonlyArray<LanguageModelV4Message> => [{ role: "user", content }])
  const system = text.map((content): ReadonlyArray<LanguageModelV4Message> => [
    { role: "system", content }
  ])
  return fc
    .tuple(fc.option(system, { nil: [] }), fc.array(fc.tuple(user, makeTurn(result))), user)
    .map(([head, turns, last]) => [...head, ...turns.flat(2), ...last])
}

const ask = async (
  { calls, model }: Awaited<ReturnType<typeof start>>,
  prompt: LanguageModelV4Prompt
): Promise<LanguageModelV4Prompt> => {
  await model.doGenerate({ prompt })
  return calls.at(-1)!.prompt
}

const calm = (): ReadonlyArray<LanguageModelV4Content> => [{ type: "text", text: "Calm." }]

test("a prompt arrives as it was sent, where chats can say it", async () => {
  const started = await start(calm)
  await fc.assert(
    fc.asyncProperty(makePrompt(textResult), async (prompt) => {
      expect(await ask(started, prompt)).toEqual(prompt)
    })
  )
})

test("a prompt that the upstream wrote comes back the same, for any content", async () => {
  const started = await start(calm)
  await fc.assert(
    fc.asyncProperty(makePrompt(anyResult), async (prompt) => {
      const written = await ask(started, prompt)
      expect(await ask(started, written)).toEqual(written)
    })
  )
})

const metadata = fc.option(
  fc.record({ hall: fc.record({ signature: text }) }).map((value) => ({ providerMetadata: value })),
  { nil: undefined }
)

const answer = fc
  .record({
    thoughts: fc.array(fc.tuple(text, metadata), { maxLength: 2 }),
    said: fc.tuple(text, metadata),
    calls: fc.uniqueArray(fc.record({ id: name, input: checkedInput, metadata }), {
      selector: ({ id }) => id,
      minLength: 1,
      maxLength: 3
    })
  })
  .map(({ calls, said, thoughts }): ReadonlyArray<LanguageModelV4Content> => [
    ...thoughts.map(([thought, signed]) => ({
      type: "reasoning" as const,
      text: thought,
      ...signed
    })),
    { type: "text", text: said[0], ...said[1] },
    ...calls.map(({ id, input: given, metadata: signed }) => ({
      type: "tool-call" as const,
      toolCallId: id,
      toolName: "look",
      input: JSON.stringify(given),
      ...signed
    }))
  ])

/** What the provider of an answer gets back of it. */
const toSaid = (content: LanguageModelV4Content): object => {
  const { providerMetadata, ...part } = content
  return {
    ...part,
    ...("input" in part ? { input: JSON.parse(part.input) as unknown } : undefined),
    ...(providerMetadata === undefined ? undefined : { providerOptions: providerMetadata })
  }
}

const tools: ToolSet = { look: { inputSchema: jsonSchema({ type: "object" }) } }

test.each(["whole", "streamed"] as const)(
  "%s: reasoning, texts and calls go back to their provider as it signed them",
  async (form) => {
    let content: ReadonlyArray<LanguageModelV4Content> = []
    const { calls, model } = await start(() => content)
    const messages: Array<ModelMessage> = [{ role: "user", content: "Hi" }]
    await fc.assert(
      fc.asyncProperty(answer, async (said) => {
        content = said
        const first =
          form === "whole"
            ? await generateText({ model, messages, tools })
            : streamText({ model, messages, tools })
        const { messages: answered } = (await first.finalStep).response
        const results: ReadonlyArray<ModelMessage> = [
          {
            role: "tool",
            content: said.flatMap((part) =>
              part.type === "tool-call"
                ? [
                    {
                      type: "tool-result",
                      toolCallId: part.toolCallId,
                      toolName: "look",
                      output: { type: "text", value: "calm" }
                    }
                  ]
                : []
            )
          }
        ]
        await generateText({ model, messages: [...messages, ...answered, ...results], tools })
        const sent = calls.at(-1)?.prompt.find(({ role }) => role === "assistant")
        expect(sent?.content).toEqual(said.map(toSaid))
      })
    )
  }
)
