import { assert, describe, expect, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { scaleRuns } from "../../../../../vitest.scope.ts"
import { makeGeminiEventReader } from "../../../src/dialects/gemini/readEvents.ts"
import { makeGeminiEventWriter } from "../../../src/dialects/gemini/writeEvents.ts"
import { parseGeminiAnswer } from "../../../src/dialects/gemini/readAnswer.ts"
import { joinPieces } from "../../../src/dialects/gemini/parseParts.ts"
import { parseThoughtSignature } from "../../../src/dialects/gemini/thoughtSignatures.ts"
import { writeGeminiAnswer } from "../../../src/dialects/gemini/writeAnswer.ts"
import type { TokenUsage } from "../../../src/values/usage/TokenUsage.ts"
import { makeDeltaParser, writeChoice, writeReply } from "@signalbox/testing"
import { listDeltas } from "../readEvents.ts"
import { chatParts } from "./geminiArbitraries.ts"
import {
  answer,
  collectParts,
  counts,
  facts,
  type Json,
  merge,
  readStream,
  say,
  toEvents,
  usage,
  writeDeltas,
  writeStream
} from "./streams.ts"

const sizes = fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 8 })
const format = "google-gemini-v1"

const call = (name: string, args: Json = {}, rest: Json = {}) => ({
  functionCall: { name, args },
  ...rest
})

const piece = (index: number, text: string, head: Json = {}, name?: string): Json => ({
  tool_calls: [
    {
      index,
      ...head,
      function: { ...(name === undefined ? undefined : { name }), arguments: text }
    }
  ]
})

describe("makeGeminiEventReader", () => {
  it("says the same as a whole answer", () => {
    fc.assert(
      fc.property(chatParts, sizes, (parts, cut) => {
        const { failure, items } = readStream(toEvents(parts, cut))
        assert.isUndefined(failure)
        const whole = Result.getOrThrow(
          parseGeminiAnswer(answer(parts, { usageMetadata: counts }, { finishReason: "STOP" }))
        )
        const { finishReason, message, nativeFinishReason } = writeChoice(whole.choices[0]!)
        const { content, role: _, ...said } = message
        expect(merge(listDeltas(items))).toEqual(content === null ? said : { ...said, content })
        expect(listDeltas(items).at(-1)).toMatchObject({ finishReason, nativeFinishReason })
        const { choices: __, ...metadata } = whole
        expect(items.at(-1)).toEqual({ type: "end", ...metadata })
      }),
      { numRuns: scaleRuns(1_000) }
    )
  })

  it("says media and code for which chat has no place, as a whole answer does", () => {
    const parts: ReadonlyArray<Json> = [
      { text: "Plot:" },
      { executableCode: { language: "PYTHON", code: "print('```')\n" } },
      { codeExecutionResult: { outcome: "OUTCOME_OK", output: "```" } },
      { code_execution_result: { outcome: "OUTCOME_DEADLINE_EXCEEDED" } },
      { inlineData: { mimeType: "image/png", data: "AAAA" } },
      { inlineData: { mimeType: "image/png", data: "BBBB" }, thought: true },
      { inlineData: { mimeType: "audio/wav", data: "AAAA" } },
      { inlineData: { mimeType: "text/csv", data: "AAAA" } },
      { inlineData: { mimeType: "video/mp4", data: "AAAA" } },
      { newPart: { x: 1 } }
    ]
    const message = {
      content:
        "Plot:\n````python\nprint('```')\n````\n\n````\n```\n````\n\n```\nOUTCOME_DEADLINE_EXCEEDED\n```\n",
      images: [{ type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } }],
      media: [
        { type: "input_audio", input_audio: { data: "AAAA", format: "wav" } },
        { type: "file", file: { file_data: "data:text/csv;base64,AAAA" } },
        { type: "video_url", video_url: { url: "data:video/mp4;base64,AAAA" } }
      ],
      provider_parts: [{ newPart: { x: 1 } }]
    }
    const { items } = readStream(parts.map((part) => answer([part])))
    expect(merge(listDeltas(items))).toEqual(message)
    const whole = Result.getOrThrow(parseGeminiAnswer(answer(parts, {}, { finishReason: "STOP" })))
    expect(writeReply(whole).choices[0]?.message).toEqual({ role: "assistant", ...message })
    assert.lengthOf(whole.choices[0]?.answer.parts ?? [], parts.length)
  })

  it("says each part in its order, and makes ids for calls without", () => {
    const { items } = readStream([
      answer([{ text: "so", thought: true }], { usageMetadata: { promptTokenCount: 9 } }),
      answer([{ text: " it is", thought: true, thoughtSignature: "c2ln" }]),
      answer([{ text: "Hi" }, { text: "" }]),
      answer([call("f", { x: 1 }, { thoughtSignature: "YQ==" }), call("f", { x: 1 })]),
      answer([{ inlineData: { mimeType: "image/png", data: "AAAA" } }]),
      answer([{ executableCode: { code: "1" } }, { text: "", thoughtSignature: "Yg==" }], {
        usageMetadata: counts
      }),
      answer([{ text: "" }], {}, { finishReason: "STOP" })
    ])
    const [first, second] = ["call_resp1_0_0", "call_resp1_0_1"]
    expect(items).toEqual([
      {
        type: "delta",
        choices: [
          say({
            reasoning: "so",
            reasoning_details: [{ type: "reasoning.text", text: "so", format, index: 0 }]
          })
        ]
      },
      {
        type: "delta",
        choices: [
          say({
            reasoning: " it is",
            reasoning_details: [
              { type: "reasoning.text", text: " it is", signature: "c2ln", format, index: 0 }
            ]
          })
        ]
      },
      { type: "delta", choices: [say({ content: "Hi" })] },
      {
        type: "delta",
        choices: [
          say({
            tool_calls: [
              {
                index: 0,
                id: first,
                type: "function",
                function: { name: "f", arguments: '{"x":1}' }
              }
            ],
            reasoning_details: [
              { type: "reasoning.encrypted", data: "YQ==", id: first, format, index: 1 }
            ]
          })
        ]
      },
      {
        type: "delta",
        choices: [
          say({
            tool_calls: [
              {
                index: 1,
                id: second,
                type: "function",
                function: { name: "f", arguments: '{"x":1}' }
              }
            ]
          })
        ]
      },
      {
        type: "delta",
        choices: [
          say({
            images: [{ type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } }]
          })
        ]
      },
      { type: "delta", choices: [say({ content: "\n```\n1\n```\n" })] },
      {
        type: "delta",
        choices: [
          say({
            reasoning_details: [{ type: "reasoning.encrypted", data: "Yg==", format, index: 2 }]
          })
        ]
      },
      {
        type: "delta",
        choices: [{ index: 0, delta: {}, finishReason: "tool_calls", nativeFinishReason: "STOP" }]
      },
      {
        type: "end",
        id: "resp1",
        model: "gemini-3-pro",
        usage,
        usageDetails: { completion_tokens_details: { reasoning_tokens: 2 } }
      }
    ])
  })

  it.each([
    ["STOP", "stop"],
    ["MAX_TOKENS", "length"],
    ["SAFETY", "content_filter"],
    ["RECITATION", "content_filter"],
    ["BLOCKLIST", "content_filter"],
    ["PROHIBITED_CONTENT", "content_filter"],
    ["SPII", "content_filter"],
    ["IMAGE_SAFETY", "content_filter"],
    ["SOMETHING_NEW", "stop"]
  ])("ends %s as %s", (native, finishReason) => {
    const { items } = readStream([answer([{ text: "a" }], {}, { finishReason: native })])
    expect(items.slice(1)).toMatchObject([
      { choices: [{ delta: {}, finishReason, nativeFinishReason: native }] },
      { type: "end" }
    ])
  })

  it.each([
    "LANGUAGE",
    "MALFORMED_FUNCTION_CALL",
    "MALFORMED_RESPONSE",
    "OTHER",
    "TOO_MANY_TOOL_CALLS",
    "UNEXPECTED_TOOL_CALL"
  ])("fails at %s, and at a word that is new without an answer", (finishReason) => {
    const rest = { usageMetadata: counts }
    const { failure, items } = readStream([
      answer([{ text: "a" }]),
      answer([], rest, { finishReason, finishMessage: "no such function" })
    ])
    assert.lengthOf(items, 1)
    expect(failure).toMatchObject({ kind: "server_error", detail: "no such function", usage })
    expect(readStream([answer([], {}, { finishReason: "NEW" })]).failure).toMatchObject({
      kind: "server_error",
      detail: "the answer ended with NEW"
    })
  })

  it("declines once, when the usage says again that the prompt was blocked", () => {
    const promptFeedback = { blockReason: "SAFETY" }
    const { items } = readStream([
      { promptFeedback },
      { promptFeedback, usageMetadata: { promptTokenCount: 4 } }
    ])
    expect(items).toMatchObject([
      { choices: [{ finishReason: "content_filter" }] },
      { type: "end", usage: { inputTokens: 4 } }
    ])
    assert.lengthOf(items, 2)
  })

  it("takes a blocked prompt for an answer that declines", () => {
    const { items } = readStream([
      {
        promptFeedback: { blockReason: "JAILBREAK", blockReasonMessage: "no" },
        usageMetadata: { promptTokenCount: 4 }
      }
    ])
    expect(items).toMatchObject([
      {
        choices: [
          {
            delta: {},
            finishReason: "content_filter",
            nativeFinishReason: "JAILBREAK",
            end: { explanation: "no" }
          }
        ]
      },
      { type: "end", usage: { inputTokens: 4, outputTokens: 0 } }
    ])
  })

  it("keeps the last usage, which may come after the end of the answer", () => {
    const usages: Array<TokenUsage | undefined> = []
    const { items } = readStream(
      [
        answer([{ text: "a" }], { usageMetadata: { promptTokenCount: 12 } }),
        answer([{ text: "b" }]),
        answer([], {}, { finishReason: "STOP" }),
        { usageMetadata: counts }
      ],
      { onUsage: (each) => usages.push(each) }
    )
    expect(items.at(-1)).toMatchObject({ type: "end", usage })
    expect(usages).toEqual([{ inputTokens: 12, outputTokens: 0 }, undefined, undefined, usage])
  })

  it("does not end a stream that breaks off, or that holds nothing", () => {
    const { failure, items } = readStream([answer([{ text: "a" }])])
    assert.isUndefined(failure)
    assert.lengthOf(items, 1)
    expect(readStream([]).failure).toMatchObject({ kind: "invalid_answer" })
    const reader = makeGeminiEventReader()
    reader.read(answer([{ text: "a" }]))
    expect(reader.done()).toMatchObject({ kind: "invalid_answer" })
    const two = [
      answer([{ text: "a" }], {}, { finishReason: "STOP" }),
      answer([{ text: "b" }], {}, { index: 1 })
    ]
    assert.notStrictEqual(readStream(two).items.at(-1)?.type, "end")
  })

  it("fails with the error in the stream", () => {
    const error = { code: 503, message: "The model is overloaded.", status: "UNAVAILABLE" }
    const { failure, items } = readStream([
      answer([{ text: "a" }], { usageMetadata: counts }),
      { error }
    ])
    assert.lengthOf(items, 1)
    expect(failure).toMatchObject({ kind: "overloaded", detail: error.message, usage })
  })

  it("keeps several answers apart, and their probabilities", () => {
    const logprobsResult = {
      chosenCandidates: [{ token: "a", tokenId: 1, logProbability: -0.5 }],
      topCandidates: [{ candidates: [{ token: "a", logProbability: -0.5 }, { token: "b" }] }]
    }
    const { items } = readStream([
      {
        candidates: [
          { content: { parts: [{ text: "a" }] }, logprobsResult },
          { content: { parts: [call("f")] }, index: 1, finishReason: "STOP" }
        ]
      },
      { candidates: [{ finishReason: "STOP" }], responseId: "late" }
    ])
    expect(items).toMatchObject([
      {
        choices: [
          {
            index: 0,
            logprobs: {
              content: [
                {
                  token: "a",
                  logprob: -0.5,
                  bytes: null,
                  top_logprobs: [
                    { token: "a", logprob: -0.5 },
                    { token: "b", logprob: 0 }
                  ]
                }
              ],
              refusal: null
            }
          }
        ]
      },
      { choices: [{ index: 1, delta: { tool_calls: [{ index: 0 }] } }] },
      { choices: [{ index: 1, finishReason: "tool_calls" }] },
      { choices: [{ index: 0, finishReason: "stop" }] },
      { type: "end" }
    ])
  })

  it("gives calls the names of the caller back, and free text", () => {
    const { items } = readStream(
      [answer([call("_1st"), call("ns__f"), call("sh", { input: "ls" }), call("get_it_")])],
      {
        tools: [
          { type: "function", name: "1st" },
          { type: "function", name: "f", namespace: { name: "ns" } },
          { type: "custom", name: "sh" },
          { type: "function", name: "get it!" },
          { type: "function", name: "get_it_" }
        ]
      }
    )
    expect(listDeltas(items).map(({ delta }) => delta["tool_calls"])).toMatchObject([
      [{ function: { name: "1st" } }],
      [{ function: { name: "f" }, namespace: "ns" }],
      [{ type: "custom", custom: { name: "sh", input: "ls" } }],
      [{ function: { name: "get_it_" } }]
    ])
  })

  it("survives all JSON from a provider", () => {
    const odd = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.constantFrom("STOP", "text", 0))
    const fields = fc.dictionary(
      fc.constantFrom("text", "thought", "thoughtSignature", "functionCall", "inlineData", "name"),
      odd
    )
    const content = fc.oneof(
      odd,
      fc.record({ parts: fc.oneof(odd, fc.array(fc.oneof(odd, fields))) })
    )
    const candidate = fc.dictionary(
      fc.constantFrom("index", "finishReason", "finishMessage", "logprobsResult"),
      odd
    )
    const event = fc.record(
      {
        candidates: fc.oneof(
          odd,
          fc.array(fc.tuple(candidate, content).map(([each, said]) => ({ ...each, content: said })))
        ),
        usageMetadata: odd,
        promptFeedback: odd,
        error: odd,
        modelVersion: odd,
        responseId: odd
      },
      { requiredKeys: [] }
    )
    fc.assert(
      fc.property(fc.array(event), (events) => {
        expect(() => readStream(events)).not.toThrow()
        expect(() => events.map((each) => parseGeminiAnswer(each))).not.toThrow()
      }),
      { numRuns: scaleRuns(1_000) }
    )
  })
})

const detail = (type: string, said: Json, index: number, named: string): Json => ({
  reasoning_details: [{ type, ...said, id: "rs_1", format: named, index }]
})

const saying = (text: string) => ({ index: 0, events: [{ type: "text" as const, text }] })

const writeEnd = (finishReason: string, nativeFinishReason: string) =>
  writeStream([
    { index: 0, delta: {}, finishReason, nativeFinishReason, end: { explanation: "why" } }
  ]).at(-1)

describe("makeGeminiEventWriter", () => {
  it("writes what the reader read", () => {
    fc.assert(
      fc.property(chatParts, sizes, (parts, cut) => {
        const { events } = readStream(toEvents(parts, cut))
        const written = collectParts(writeDeltas(listDeltas(events)))
        expect(joinSigned(written)).toEqual(joinSigned(parts))
      }),
      { numRuns: scaleRuns(1_000) }
    )
  })

  it("says the same as a whole answer", () => {
    fc.assert(
      fc.property(chatParts, sizes, (parts, cut) => {
        const deltas = listDeltas(readStream(toEvents(parts, cut)).events)
        const whole = Result.getOrThrow(
          parseGeminiAnswer(answer(parts, {}, { finishReason: "STOP" }))
        )
        const json = writeGeminiAnswer(whole, { ...facts, usage })
        const events = writeDeltas(deltas)
        expect(joinSigned(collectParts(events))).toEqual(joinSigned(collectParts([json])))
        const { candidates: [last] = [], ...rest } = events.at(-1) as {
          readonly candidates?: ReadonlyArray<Json>
        }
        const { candidates: [first] = [], ...expected } = json as typeof rest & {
          readonly candidates?: ReadonlyArray<Json>
        }
        expect(rest).toEqual(expected)
        assert.strictEqual(last?.["finishReason"], first?.["finishReason"])
      }),
      { numRuns: scaleRuns(300) }
    )
  })

  it("writes calls when they are whole, in their order", () => {
    const events = writeStream([
      say({ content: "a" }),
      say(piece(0, '{"x":', { id: "one" }, "f")),
      say(piece(1, "{}", { id: "two" }, "g")),
      say(piece(0, "1}")),
      say({ content: "b" }),
      say(piece(2, "", { id: "three" }, "h")),
      say(piece(0, "repeated")),
      { index: 0, delta: {}, finishReason: "tool_calls" }
    ])
    expect(events.map((event) => collectParts([event]))).toEqual([
      [{ text: "a" }],
      [
        { functionCall: { id: "one", name: "f", args: { x: 1 } } },
        { functionCall: { id: "two", name: "g", args: {} } },
        { text: "b" }
      ],
      [{ functionCall: { id: "three", name: "h", args: {} } }]
    ])
    expect(events.at(-1)).toMatchObject({
      candidates: [{ finishReason: "STOP", index: 0 }],
      usageMetadata: {
        promptTokenCount: 12,
        candidatesTokenCount: 5,
        thoughtsTokenCount: 2,
        totalTokenCount: 19
      },
      modelVersion: "acme/m",
      responseId: "gen-1"
    })
  })

  it("keeps arguments that were cut readable", () => {
    const events = writeStream([
      say(piece(0, '{"x":"ab', { id: "a" }, "f")),
      { index: 0, delta: {}, finishReason: "length" }
    ])
    expect(collectParts(events)).toEqual([
      { functionCall: { id: "a", name: "f", args: { invalid_arguments: '{"x":"ab' } } }
    ])
    expect(events.at(-1)).toMatchObject({ candidates: [{ finishReason: "MAX_TOKENS" }] })
  })

  it("carries the reasoning of other providers in thoughts", () => {
    const openai = "openai-responses-v1"
    const events = writeStream([
      say(detail("reasoning.summary", { summary: "s" }, 0, openai)),
      say(detail("reasoning.summary", { summary: "o" }, 0, openai)),
      say(detail("reasoning.encrypted", { data: "se" }, 1, openai)),
      say(detail("reasoning.encrypted", { data: "cret" }, 1, openai)),
      say({ content: "Hi" })
    ])
    const parts = collectParts(events)
    expect(parts).toMatchObject([
      { text: "s", thought: true },
      { text: "o", thought: true },
      { text: "", thought: true },
      { text: "", thought: true },
      { text: "Hi" }
    ])
    expect(parseThoughtSignature(String(parts[2]?.["thoughtSignature"]))).toEqual({
      format: openai,
      id: "rs_1",
      isSummary: true
    })
    expect(parseThoughtSignature(String(parts[3]?.["thoughtSignature"]))).toEqual({
      format: openai,
      id: "rs_1",
      encrypted: "secret"
    })
    // Clients send the pieces back.
    assert.lengthOf(joinPieces(parts), 3)
  })

  it("says nothing for empty deltas, and has a candidate at the end", () => {
    const writer = makeGeminiEventWriter(facts)
    const silent = [{}, { content: "" }, { content: null }, { role: "assistant" }]
    for (const delta of silent.map(say).map(makeDeltaParser())) {
      expect(writer.write({ type: "delta", choices: [delta] })).toEqual([])
    }
    expect(makeGeminiEventWriter(facts).end({})).toEqual([
      {
        candidates: [
          { content: { role: "model", parts: [{ text: "" }] }, finishReason: "STOP", index: 0 }
        ],
        modelVersion: "acme/m",
        responseId: "gen-1"
      }
    ])
  })

  it("ends with an error, after which nothing follows", () => {
    const writer = makeGeminiEventWriter(facts)
    writer.write({ type: "delta", choices: [saying("a")] })
    expect(writer.fail({ status: 529, message: "busy" })).toEqual([
      { error: { code: 529, message: "busy", status: "UNAVAILABLE" } }
    ])
    expect(writer.write({ type: "delta", choices: [saying("b")] })).toEqual([])
    expect(writer.end({})).toEqual([])
    expect(writer.fail({ status: 500, message: "again" })).toEqual([])
  })

  it("keeps the word of the provider for the end where it is one of the API", () => {
    expect(writeEnd("content_filter", "RECITATION")).toMatchObject({
      candidates: [{ finishReason: "RECITATION", finishMessage: "why" }]
    })
    expect(writeEnd("content_filter", "refusal")).toMatchObject({
      candidates: [{ finishReason: "SAFETY" }]
    })
    expect(writeEnd("error", "overloaded")).toMatchObject({
      candidates: [{ finishReason: "OTHER" }]
    })
  })

  it("survives all JSON that a provider streams in chat", () => {
    const odd = fc.jsonValue({ maxDepth: 3 })
    const delta = fc.dictionary(
      fc.constantFrom(
        "content",
        "refusal",
        "reasoning",
        "reasoning_details",
        "tool_calls",
        "images"
      ),
      odd
    )
    fc.assert(
      fc.property(fc.array(delta), (deltas) => {
        expect(() => writeStream(deltas.map(say))).not.toThrow()
      }),
      { numRuns: scaleRuns(500) }
    )
  })
})

/** Joins the pieces of parts; a signature may follow on a part without text. */
const joinSigned = (parts: ReadonlyArray<Json>): ReadonlyArray<unknown> => {
  const joined: Array<Record<string, unknown>> = []
  for (const part of parts) {
    const last = joined.at(-1)
    const isContinuation =
      typeof part["text"] === "string" &&
      typeof last?.["text"] === "string" &&
      last["thoughtSignature"] === undefined &&
      part["thought"] === last["thought"]
    if (isContinuation) {
      Object.assign(last, part, { text: [last["text"], part["text"]].join("") })
    } else joined.push({ ...part })
  }
  return joined
}
