import type { LanguageModelV4Content, LanguageModelV4Prompt } from "@ai-sdk/provider"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { writeChoice } from "@signalbox/testing"
import { fromAiSdk } from "../src/index.ts"
import { finish, makeFakeModel, streamOf } from "./FakeModel.ts"
import { complete, joinDeltas, stream } from "./runChat.ts"

const text = fc.string({ minLength: 1, unit: "binary" })
const json = fc
  .dictionary(fc.oneof(text, fc.constant("__proto__")), fc.jsonValue(), { noNullPrototype: true })
  .map((value) => JSON.stringify(value))
const metadata = fc.option(
  fc
    .record({ fake: fc.record({ signature: text, deep: fc.jsonValue() }) })
    .map((value) => JSON.parse(JSON.stringify(value))),
  { nil: undefined }
)
const name = fc.stringMatching(/^[a-zA-Z0-9_-]{1,20}$/)

interface Said {
  readonly thoughts: ReadonlyArray<{ readonly text: string; readonly metadata: Metadata }>
  readonly text: string
  readonly textMetadata: Metadata
  readonly calls: ReadonlyArray<{
    readonly id: string
    readonly name: string
    readonly input: string
    readonly metadata: Metadata
    readonly result: string
  }>
}

type Metadata = Record<string, Record<string, never>> | undefined

const said: fc.Arbitrary<Said> = fc.record({
  thoughts: fc.array(fc.record({ text, metadata }), { maxLength: 3 }),
  text,
  textMetadata: metadata,
  calls: fc.uniqueArray(fc.record({ id: text, name, input: json, metadata, result: text }), {
    selector: ({ id }) => id,
    maxLength: 3
  })
})

const withMetadata = (key: "providerMetadata" | "providerOptions", value: Metadata) =>
  value === undefined ? undefined : { [key]: value }

const toContent = ({
  calls,
  text: words,
  textMetadata,
  thoughts
}: Said): Array<LanguageModelV4Content> => [
  ...thoughts.map((thought) => ({
    type: "reasoning" as const,
    text: thought.text,
    ...withMetadata("providerMetadata", thought.metadata)
  })),
  { type: "text", text: words, ...withMetadata("providerMetadata", textMetadata) },
  ...calls.map((call) => ({
    type: "tool-call" as const,
    toolCallId: call.id,
    toolName: call.name,
    input: call.input,
    ...withMetadata("providerMetadata", call.metadata)
  }))
]

/** The prompt that a model gets when an answer and the results of its calls come back. */
const toPrompt = ({ calls, text: words, textMetadata, thoughts }: Said): LanguageModelV4Prompt => [
  { role: "user", content: [{ type: "text", text: "Hi" }] },
  {
    role: "assistant",
    content: [
      ...thoughts.map((thought) => ({
        type: "reasoning" as const,
        text: thought.text,
        ...withMetadata("providerOptions", thought.metadata)
      })),
      { type: "text", text: words, ...withMetadata("providerOptions", textMetadata) },
      ...calls.map((call) => ({
        type: "tool-call" as const,
        toolCallId: call.id,
        toolName: call.name,
        input: JSON.parse(call.input),
        ...withMetadata("providerOptions", call.metadata)
      }))
    ]
  },
  ...(calls.length === 0
    ? []
    : [
        {
          role: "tool" as const,
          content: calls.map((call) => ({
            type: "tool-result" as const,
            toolCallId: call.id,
            toolName: call.name,
            output: { type: "text" as const, value: call.result }
          }))
        }
      ])
]

const askAgain = (message: object, { calls }: Said) => ({
  messages: [
    { role: "user", content: "Hi" },
    // Clients get messages as JSON and send them back.
    { role: "assistant", ...JSON.parse(JSON.stringify(message)) },
    ...calls.map(({ id, result }) => ({ role: "tool", tool_call_id: id, content: result }))
  ]
})

const run = <A, E>(effect: Effect.Effect<A, E>) => Effect.runPromise(effect)

describe("an answer that comes back with the next request", () => {
  it("is the same for its provider: reasoning, text, calls and their metadata", async () => {
    await fc.assert(
      fc.asyncProperty(said, async (answer) => {
        const model = makeFakeModel({ generate: () => ({ content: toContent(answer) }) })
        const upstream = fromAiSdk(model, { slug: "fake" })
        const { choices } = await run(complete(upstream))
        await run(complete(upstream, askAgain(writeChoice(choices[0]!).message, answer)))
        assert.deepStrictEqual(model.calls[1]?.prompt, toPrompt(answer))
      })
    )
  })

  it("is the same when it was streamed", async () => {
    await fc.assert(
      fc.asyncProperty(said, fc.boolean(), async (answer, startsCalls) => {
        const parts = streamOf(
          ...answer.thoughts.flatMap((thought, at) => [
            { type: "reasoning-start" as const, id: `t${at}` },
            { type: "reasoning-delta" as const, id: `t${at}`, delta: thought.text.slice(0, 1) },
            { type: "reasoning-delta" as const, id: `t${at}`, delta: thought.text.slice(1) },
            {
              type: "reasoning-end" as const,
              id: `t${at}`,
              ...withMetadata("providerMetadata", thought.metadata)
            }
          ]),
          { type: "text-start", id: "x" },
          { type: "text-delta", id: "x", delta: answer.text },
          { type: "text-end", id: "x", ...withMetadata("providerMetadata", answer.textMetadata) },
          ...answer.calls.flatMap((call) => [
            ...(startsCalls
              ? [
                  { type: "tool-input-start" as const, id: call.id, toolName: call.name },
                  { type: "tool-input-delta" as const, id: call.id, delta: call.input }
                ]
              : []),
            {
              type: "tool-call" as const,
              toolCallId: call.id,
              toolName: call.name,
              input: call.input,
              ...withMetadata("providerMetadata", call.metadata)
            }
          ]),
          finish
        )
        const model = makeFakeModel({ stream: () => parts })
        const upstream = fromAiSdk(model, { slug: "fake" })
        const { calls, content, details } = joinDeltas(await run(stream(upstream)))
        const message = { content, reasoning_details: details, tool_calls: calls }
        await run(complete(upstream, askAgain(message, answer)))
        assert.deepStrictEqual(model.calls[1]?.prompt, toPrompt(answer))
      })
    )
  })

  it("has neither reasoning nor metadata for another provider", async () => {
    await fc.assert(
      fc.asyncProperty(said, async (answer) => {
        const model = makeFakeModel({ generate: () => ({ content: toContent(answer) }) })
        const { choices } = await run(complete(fromAiSdk(model, { slug: "fake" })))
        const other = makeFakeModel({ provider: "other.chat" })
        await run(
          complete(
            fromAiSdk(other, { slug: "other" }),
            askAgain(writeChoice(choices[0]!).message, answer)
          )
        )
        const bare = {
          thoughts: [],
          text: answer.text,
          textMetadata: undefined,
          calls: answer.calls.map((call) => ({ ...call, metadata: undefined }))
        }
        assert.deepStrictEqual(other.calls[0]?.prompt, toPrompt(bare))
      })
    )
  })
})

describe("a prompt", () => {
  const media = fc.oneof(
    fc.base64String({ minLength: 4 }).map((data) => ({
      part: { type: "image_url", image_url: { url: `data:image/png;base64,${data}` } },
      written: { type: "file", mediaType: "image/png", data: { type: "data", data } }
    })),
    fc.base64String({ minLength: 4 }).map((data) => ({
      part: {
        type: "file",
        file: { filename: "a.pdf", file_data: `data:application/pdf;base64,${data}` }
      },
      written: {
        type: "file",
        mediaType: "application/pdf",
        filename: "a.pdf",
        data: { type: "data", data }
      }
    })),
    fc.base64String({ minLength: 4 }).map((data) => ({
      part: { type: "input_audio", input_audio: { format: "wav", data } },
      written: { type: "file", mediaType: "audio/wav", data: { type: "data", data } }
    })),
    fc.webUrl({ withQueryParameters: true }).map((url) => ({
      part: { type: "image_url", image_url: { url } },
      written: { type: "file", data: { type: "url", url: new URL(url).href } }
    })),
    text.map((words) => ({
      part: { type: "text", text: words },
      written: { type: "text", text: words }
    }))
  )

  it("has every text and every medium of the messages, in their order", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom("system", "user"), text, fc.array(media)), {
          minLength: 1
        }),
        async (turns) => {
          const model = makeFakeModel()
          await run(
            complete(fromAiSdk(model, { slug: "fake" }), {
              messages: turns.map(([role, words, parts]) => ({
                role,
                content:
                  role === "system"
                    ? words
                    : [{ type: "text", text: words }, ...parts.map(({ part }) => part)]
              }))
            })
          )
          const seen = model.calls[0]!.prompt.map(({ content, role }) => ({
            role,
            content: typeof content === "string" ? content : content.map(simplify)
          }))
          assert.deepStrictEqual(
            seen,
            turns.map(([role, words, parts]) => ({
              role,
              content:
                role === "system"
                  ? words
                  : [{ type: "text", text: words }, ...parts.map(({ written }) => written)]
            })) as never
          )
        }
      )
    )
  })
})

/** The type of a medium behind a URL is guessed. */
const simplify = (part: object): unknown =>
  "data" in part &&
  part.data instanceof Object &&
  "url" in part.data &&
  part.data.url instanceof URL
    ? { type: "file", data: { type: "url", url: part.data.url.href } }
    : part
