/** What a model answers goes back unchanged with the next prompt, whether it came whole or in pieces. */
import * as Prompt from "effect/ai/Prompt"
import * as Response from "effect/ai/Response"
import * as Schema from "effect/Schema"
import fc from "fast-check"
import { expect, test } from "vitest"
import { parsePrompt } from "../../src/ai/parseConversation.ts"
import { partForms, writeAnswerParts } from "../../src/ai/SignalboxLanguageModel.ts"
import type { CallPart, Part, ReasoningPart, TextPart } from "../../src/conversation/Part.ts"
import { makeChatDeltaReader } from "../../src/dialects/chat/makeChatDeltaReader.ts"
import { writeReasoningDetail } from "../../src/dialects/chat/reasoningDetails.ts"
import { StreamedPartWriter } from "../../src/dialects/parts/StreamedPartWriter.ts"
import { CallRecorder } from "../../src/api/inProcess/CallRecorder.ts"
import * as GenerationId from "../../src/values/ids/GenerationId.ts"
import type { ChatDeltaEvent } from "../../src/engine/upstreams/ChatCapability.ts"

type Said = CallPart | ReasoningPart | TextPart

const words = fc.string({ minLength: 1, maxLength: 20, unit: "grapheme" })
const optionalSignature = <A>(format: string, arbitrary: fc.Arbitrary<A>) =>
  fc.tuple(arbitrary, fc.option(words, { nil: undefined })).map(([part, value]) => ({
    ...part,
    ...(value === undefined ? undefined : { signature: { format, value } })
  }))

const thought: fc.Arbitrary<ReasoningPart> = fc.oneof(
  fc.record({
    type: fc.constant("reasoning" as const),
    format: fc.constant("anthropic-claude-v1"),
    text: words,
    signature: words
  }),
  fc.record({
    type: fc.constant("reasoning" as const),
    format: fc.constant("openai-responses-v1"),
    text: words,
    isSummary: fc.constant(true as const),
    id: words
  }),
  fc.record({
    type: fc.constant("reasoning" as const),
    format: fc.constant("openai-responses-v1"),
    encrypted: words,
    id: words
  })
)
const google = "google-gemini-v1"
const text: fc.Arbitrary<TextPart> = optionalSignature(
  google,
  fc.record({ type: fc.constant("text" as const), text: words })
)
const call: fc.Arbitrary<CallPart> = optionalSignature(
  google,
  fc.record({
    type: fc.constant("call" as const),
    id: fc.uuid(),
    name: fc.constantFrom("look_up", "__proto__"),
    arguments: fc
      .dictionary(fc.oneof(words, fc.constant("__proto__")), fc.jsonValue({ maxDepth: 2 }))
      .map((args) => JSON.stringify(args))
  })
)

/** In the order of a chat: reasoning, then a text, then calls. */
const answers: fc.Arbitrary<ReadonlyArray<Said>> = fc
  .tuple(
    fc.array(thought, { maxLength: 3 }),
    fc.option(text, { nil: undefined }),
    fc.uniqueArray(call, { maxLength: 3, selector: ({ id }) => id })
  )
  .map(([thoughts, said, calls]) => [...thoughts, ...(said === undefined ? [] : [said]), ...calls])
  .filter((parts) => parts.length > 0)

const decodeParts = Schema.decodeUnknownSync(Schema.Array(Response.AllParts()))

/** The parts of the assistant in the prompt that follows. */
const sendBack = (parts: ReadonlyArray<Response.AllPartsEncoded>): ReadonlyArray<Part> =>
  parsePrompt(Prompt.fromResponseParts(decodeParts(parts))).flatMap((turn) => turn.parts)

const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
const id = GenerationId.GenerationId.make("gen-1-aaaaaaaaaaaaaaaaaaaa")

test("a whole answer goes back as it came", () => {
  fc.assert(
    fc.property(answers, (parts) => {
      const choice = { index: 0, answer: { parts, end: { reason: "stop" } } }
      const answer = {
        id,
        startedAt: 0,
        model: "sea/pilot",
        provider: "Sea",
        reply: { choices: [choice] },
        usage
      }
      expect(sendBack(writeAnswerParts(answer, [], new CallRecorder()))).toEqual(parts)
    })
  )
})

/** Cuts a text in two, which may be empty. */
const cut = (value: string, at: number): readonly [string, string] => {
  const end = Math.floor(value.length * at)
  return [value.slice(0, end), value.slice(end)]
}

type Delta = Readonly<Record<string, unknown>>

const toDeltas = (part: Said, index: number, at: number): ReadonlyArray<Delta> => {
  const signed =
    part.type !== "reasoning" && part.signature !== undefined
      ? [
          {
            reasoning_details: [
              {
                type: "reasoning.encrypted",
                data: part.signature.value,
                format: part.signature.format,
                ...(part.type === "call" ? { id: part.id } : undefined)
              }
            ]
          }
        ]
      : []
  switch (part.type) {
    case "reasoning": {
      const { signature, ...unsigned } = part
      if (part.text === undefined) {
        return [{ reasoning_details: [writeReasoningDetail(part, index)] }]
      }
      const [head, tail] = cut(part.text, at)
      return [
        { reasoning_details: [writeReasoningDetail({ ...unsigned, text: head }, index)] },
        {
          reasoning_details: [
            writeReasoningDetail(
              { ...unsigned, text: tail, ...(signature === undefined ? {} : { signature }) },
              index
            )
          ]
        }
      ]
    }
    case "text": {
      const [head, tail] = cut(part.text, at)
      return [{ content: head }, { content: tail }, ...signed]
    }
    case "call": {
      const [head, tail] = cut(part.arguments, at)
      const called = { name: part.name, arguments: head }
      return [
        { tool_calls: [{ index, id: part.id, type: "function", function: called }] },
        { tool_calls: [{ index, function: { arguments: tail } }] },
        ...signed
      ]
    }
  }
}

/** The events of one stream, in the form of a provider that speaks the chat dialect. */
const makeToEvent = (): ((delta: Delta) => ChatDeltaEvent) => {
  const read = makeChatDeltaReader()
  return (delta) => ({
    type: "delta",
    choices: [{ index: 0, events: read(delta), native: delta }]
  })
}

test("a streamed answer goes back as it came, wherever it is cut", () => {
  fc.assert(
    fc.property(answers, fc.double({ min: 0, max: 1, noNaN: true }), (parts, at) => {
      const writer = new StreamedPartWriter(partForms, [])
      const toEvent = makeToEvent()
      const deltas = parts.flatMap((part, index) => toDeltas(part, index, at))
      const written = [...deltas.flatMap((delta) => writer.write(toEvent(delta))), ...writer.end()]
      expect(sendBack(written)).toEqual(parts)
    })
  )
})

test("a signature that follows the text belongs to the reasoning before it", () => {
  const writer = new StreamedPartWriter(partForms, [])
  const toEvent = makeToEvent()
  const signed = { type: "reasoning.text", text: "Hm.", signature: "s", index: 0 }
  const deltas = [
    { reasoning: "Hm." },
    { content: "Calm." },
    { reasoning_details: [{ ...signed, format: "anthropic-claude-v1" }] }
  ]
  const written = [...deltas.flatMap((delta) => writer.write(toEvent(delta))), ...writer.end()]
  expect(sendBack(written)).toEqual([
    { type: "reasoning", text: "Hm.", format: "anthropic-claude-v1", signature: "s" },
    { type: "text", text: "Calm." }
  ])
})
