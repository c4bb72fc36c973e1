import { assert, describe, expect, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { scaleRuns } from "../../../../../vitest.scope.ts"
import { parseGeminiAnswer } from "../../../src/dialects/gemini/readAnswer.ts"
import { parseGeminiRequest } from "../../../src/dialects/gemini/parseRequest.ts"
import { writeGeminiAnswer } from "../../../src/dialects/gemini/writeAnswer.ts"
import { writeGeminiRequest } from "../../../src/dialects/gemini/writeRequest.ts"
import type { Part } from "../../../src/conversation/Part.ts"
import type { ChatReply } from "../../../src/engine/upstreams/ChatCapability.ts"
import { fromUsdNumber } from "../../../src/values/usage/NanoUsd.ts"
import { parseChoice, writeChoice, writeReply } from "@signalbox/testing"
import { answerParts } from "./geminiArbitraries.ts"
import { answer, collectParts, counts, facts, type Json } from "./streams.ts"

const parse = (json: unknown): ChatReply => Result.getOrThrow(parseGeminiAnswer(json))

const parseFailure = (json: unknown) => {
  const parsed = parseGeminiAnswer(json)
  assert.isTrue(Result.isFailure(parsed))
  return Result.isFailure(parsed) ? parsed.failure : undefined
}

const stop = { finishReason: "STOP" }

/** A reply of the chat dialect, which says no order. */
const reply = (message: Json, finishReason: string | null = "stop"): ChatReply => ({
  choices: [parseChoice({ index: 0, message, finishReason })]
})

const write = (written: ChatReply): Json => writeGeminiAnswer(written, facts)

const parseUsage = (usageMetadata: Json) =>
  parse(answer([{ text: "a" }], { usageMetadata }, stop)).usage

describe("parseGeminiAnswer", () => {
  it("reads what was said, thought and called, in its order", () => {
    const parsed = parse(
      answer(
        [
          { text: "so", thought: true },
          { text: "Let me " },
          { functionCall: { name: "f", args: { x: 1 } }, thoughtSignature: "YQ==" },
          { functionCall: { name: "f", args: { x: 1 } } },
          { functionCall: { id: "own", name: "g" } },
          { text: "look.", thoughtSignature: "Yg==" },
          { inlineData: { mimeType: "image/png", data: "AAAA" }, thoughtSignature: "Yw==" },
          { executableCode: { code: "1" } },
          { text: "" },
          { unknown: "part" }
        ],
        { usageMetadata: counts },
        stop
      )
    )
    const format = "google-gemini-v1"
    const [choice] = parsed.choices
    expect(choice?.answer.parts).toEqual([
      { type: "reasoning", format, text: "so" },
      { type: "text", text: "Let me " },
      {
        type: "call",
        id: "call_resp1_0_0",
        name: "f",
        arguments: '{"x":1}',
        signature: { format, value: "YQ==" }
      },
      { type: "call", id: "call_resp1_0_1", name: "f", arguments: '{"x":1}' },
      { type: "call", id: "own", name: "g", arguments: "{}" },
      { type: "text", text: "look.", signature: { format, value: "Yg==" } },
      {
        type: "image",
        source: { type: "base64", mediaType: "image/png", data: "AAAA" },
        extra: { dialect: "gemini", fields: { thoughtSignature: "Yw==" } }
      },
      {
        type: "opaque",
        dialect: "gemini",
        raw: { executableCode: { code: "1" } },
        text: "\n```\n1\n```\n"
      },
      { type: "opaque", dialect: "gemini", raw: { unknown: "part" } }
    ])
    expect(writeChoice(choice!)).toMatchObject({
      finishReason: "tool_calls",
      nativeFinishReason: "STOP",
      message: {
        role: "assistant",
        content: "Let me look.\n```\n1\n```\n",
        provider_parts: [{ unknown: "part" }],
        reasoning: "so",
        images: [{ type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } }],
        reasoning_details: [
          { type: "reasoning.text", text: "so" },
          { type: "reasoning.encrypted", data: "YQ==", id: "call_resp1_0_0" },
          { type: "reasoning.encrypted", data: "Yg==" }
        ]
      }
    })
    expect(parsed).toMatchObject({ id: "resp1", model: "gemini-3-pro" })
  })

  it("counts thoughts with the answer, and the prompts of tools with the prompt", () => {
    const usageMetadata = {
      promptTokenCount: 100,
      cachedContentTokenCount: 60,
      toolUsePromptTokenCount: 11,
      candidatesTokenCount: 20,
      thoughtsTokenCount: 30,
      totalTokenCount: 161,
      promptTokensDetails: [
        { modality: "TEXT", tokenCount: 90 },
        { modality: "AUDIO", tokenCount: 10 }
      ],
      toolUsePromptTokensDetails: [{ modality: "AUDIO", tokenCount: 1 }],
      candidatesTokensDetails: [
        { modality: "IMAGE", tokenCount: 8 },
        { modality: "AUDIO", tokenCount: 7 }
      ],
      cost: 0.5
    }
    const parsed = Result.getOrThrow(
      parseGeminiAnswer(answer([{ text: "a" }], { usageMetadata }, stop), {
        parseCost: ({ cost }) => (typeof cost === "number" ? fromUsdNumber(cost) : undefined)
      })
    )
    expect(parsed).toMatchObject({
      usage: {
        inputTokens: 111,
        outputTokens: 50,
        cachedTokens: 60,
        reasoningTokens: 30,
        audioTokens: 11,
        audioOutputTokens: 7,
        imageOutputTokens: 8
      },
      cost: fromUsdNumber(0.5)
    })
    expect(
      writeGeminiAnswer(parsed, { ...facts, ...parsed, ...facts })["usageMetadata"]
    ).toMatchObject({
      promptTokenCount: 111,
      cachedContentTokenCount: 60,
      candidatesTokenCount: 20,
      thoughtsTokenCount: 30,
      totalTokenCount: 161,
      promptTokensDetails: [
        { modality: "TEXT", tokenCount: 100 },
        { modality: "AUDIO", tokenCount: 11 }
      ]
    })
  })

  it("takes counts of 0, which are left out, for 0, and no prompt for no count", () => {
    expect(parseUsage({ promptTokenCount: 3 })).toEqual({ inputTokens: 3, outputTokens: 0 })
    expect(parseUsage({ candidatesTokenCount: 3 })).toBeUndefined()
    expect(parseUsage({ promptTokenCount: "3" })).toBeUndefined()
  })

  it("takes a blocked prompt for an answer that declines", () => {
    const parsed = parse({
      promptFeedback: { blockReason: "PROHIBITED_CONTENT" },
      usageMetadata: { promptTokenCount: 4 }
    })
    expect(writeReply(parsed)).toMatchObject({
      choices: [
        {
          message: { content: null },
          finishReason: "content_filter",
          nativeFinishReason: "PROHIBITED_CONTENT"
        }
      ],
      usage: { inputTokens: 4, outputTokens: 0 }
    })
    expect(write(parsed)).toMatchObject({ candidates: [{ finishReason: "PROHIBITED_CONTENT" }] })
  })

  it.each([
    [null, "invalid_answer"],
    [[], "invalid_answer"],
    [{}, "invalid_answer"],
    [{ candidates: [] }, "invalid_answer"],
    [{ candidates: [{}] }, "invalid_answer"],
    [{ candidates: [], promptFeedback: { safetyRatings: [] } }, "invalid_answer"],
    [answer([{ text: "a" }], {}, { finishReason: "OTHER" }), "server_error"],
    [answer([], {}, { finishReason: "NEW" }), "server_error"],
    [{ error: { code: 429, message: "slow", status: "RESOURCE_EXHAUSTED" } }, "rate_limited"]
  ])("fails for %j", (json, kind) => {
    expect(parseFailure(json)).toMatchObject({ kind })
  })

  it("takes an answer without a reason for its end, and one without parts", () => {
    expect(parse(answer([{ text: "a" }])).choices[0]).toMatchObject({
      answer: { end: { reason: "stop" } }
    })
    const silent = { candidates: [{ content: { role: "model" }, finishReason: "MAX_TOKENS" }] }
    expect(parse(silent).choices[0]).toMatchObject({
      answer: { parts: [], end: { reason: "length" } }
    })
  })

  it("is written again as it was, and comes back from its client to the same model", () => {
    fc.assert(
      fc.property(answerParts, (parts) => {
        const json = answer(parts, {}, stop)
        const written = JSON.parse(JSON.stringify(write(parse(json)))) as Json
        expect(collectParts([written])).toEqual(parts)
        const conversation = Result.getOrThrow(
          parseGeminiRequest({
            contents: [
              { role: "user", parts: [{ text: "hi" }] },
              { role: "model", parts: collectParts([written]) },
              { role: "user", parts: [...listResponses(parts), { text: "and?" }] }
            ]
          })
        )
        const { contents } = Result.getOrThrow(writeGeminiRequest(conversation)) as {
          readonly contents?: ReadonlyArray<Json>
        }
        expect(JSON.parse(JSON.stringify(contents?.[1]?.["parts"]))).toEqual(parts)
      }),
      { numRuns: scaleRuns(1_000) }
    )
  })
})

const listResponses = (parts: ReadonlyArray<Json>): ReadonlyArray<Json> =>
  parts.flatMap(({ functionCall }) =>
    functionCall === undefined
      ? []
      : [{ functionResponse: { ...(functionCall as Json), response: { output: "done" } } }]
  )

describe("writeGeminiAnswer", () => {
  it("writes a reply of the chat dialect", () => {
    const json = write(
      reply(
        {
          content: "Hi",
          reasoning: "so",
          refusal: "no",
          tool_calls: [
            { id: "a", type: "function", function: { name: "f", arguments: '{"x":1}' } },
            { id: "b", type: "function", function: { name: "g", arguments: '{"x"' } },
            { id: "c", type: "custom", custom: { name: "sh", input: "ls" } }
          ],
          images: [{ type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } }]
        },
        "tool_calls"
      )
    )
    expect(json).toMatchObject({
      candidates: [
        {
          content: {
            role: "model",
            parts: [
              { text: "so", thought: true },
              { text: "Hi" },
              { text: "no" },
              { functionCall: { id: "a", name: "f", args: { x: 1 } } },
              { functionCall: { id: "b", name: "g", args: { invalid_arguments: '{"x"' } } },
              { functionCall: { id: "c", name: "sh", args: { input: "ls" } } },
              { inlineData: { mimeType: "image/png", data: "AAAA" } }
            ]
          },
          finishReason: "STOP",
          index: 0
        }
      ],
      modelVersion: "acme/m",
      responseId: "gen-1"
    })
  })

  it("carries reasoning of other providers through a client, as it was", () => {
    const thoughts: ReadonlyArray<Part> = [
      { type: "reasoning", format: "anthropic-claude-v1", text: "so", signature: "sig" },
      { type: "reasoning", format: "anthropic-claude-v1", encrypted: "redacted" },
      {
        type: "reasoning",
        format: "openai-responses-v1",
        text: "thus",
        isSummary: true,
        id: "rs_1"
      },
      { type: "reasoning", format: "openai-responses-v1", encrypted: "ä", id: "rs_1" },
      { type: "reasoning", format: "unknown", text: "plain" },
      { type: "text", text: "Hi" }
    ]
    const json = write({
      choices: [{ index: 0, answer: { parts: thoughts, end: { reason: "stop" } } }]
    })
    const parts = collectParts([json])
    // Some clients write bytes in the alphabet of URLs.
    const urlSafe = parts.map((part) =>
      typeof part["thoughtSignature"] === "string"
        ? {
            ...part,
            thoughtSignature: part["thoughtSignature"].replaceAll("+", "-").replaceAll("/", "_")
          }
        : part
    )
    for (const sent of [parts, urlSafe]) {
      const { turns } = Result.getOrThrow(
        parseGeminiRequest({ contents: [{ role: "model", parts: sent }] })
      )
      expect(turns[0]?.parts).toEqual(thoughts)
    }
  })

  it("writes one candidate for each answer, with its probabilities", () => {
    const token = { token: "a", logprob: -0.5, bytes: [97] }
    const logprobs = { content: [{ ...token, top_logprobs: [token] }], refusal: null }
    const json = write({
      choices: [
        {
          index: 0,
          answer: { parts: [{ type: "text", text: "a" }], end: { reason: "length" }, logprobs }
        },
        { index: 1, answer: { parts: [], end: { reason: "content_filter" } } }
      ]
    })
    const tokens = [{ token: "a", logProbability: -0.5 }]
    expect(json["candidates"]).toEqual([
      {
        content: { role: "model", parts: [{ text: "a" }] },
        finishReason: "MAX_TOKENS",
        index: 0,
        logprobsResult: { chosenCandidates: tokens, topCandidates: [{ candidates: tokens }] }
      },
      { content: { role: "model", parts: [{ text: "" }] }, finishReason: "SAFETY", index: 1 }
    ])
  })

  it("gives calls the names of the caller back", () => {
    const json = writeGeminiAnswer(
      reply({
        content: null,
        tool_calls: [{ id: "a", type: "function", function: { name: "a_b_c", arguments: "{}" } }]
      }),
      { ...facts, tools: [{ type: "function", name: "a.b:c" }] }
    )
    expect(collectParts([json])).toMatchObject([{ functionCall: { name: "a.b:c" } }])
  })
})
