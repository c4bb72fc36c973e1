import { describe, expect, it } from "@effect/vitest"
import { checkGeminiEvents } from "@signalbox/testing"

type Json = Readonly<Record<string, unknown>>

const usageMetadata = {
  promptTokenCount: 3,
  candidatesTokenCount: 2,
  thoughtsTokenCount: 1,
  totalTokenCount: 6
}
const event = (part: Json, candidate: Json = {}, rest: Json = {}): Json => ({
  candidates: [{ content: { role: "model", parts: [part] }, index: 0, ...candidate }],
  modelVersion: "m",
  responseId: "r",
  ...rest
})
const text = event({ text: "a" })
const end = event({ text: "" }, { finishReason: "STOP" }, { usageMetadata })
const call = { functionCall: { id: "a", name: "f", args: {} } }
const error = { error: { code: 503, message: "busy", status: "UNAVAILABLE" } }

const encode = (events: ReadonlyArray<Json>) =>
  events.map((each) => `data: ${JSON.stringify(each)}\n\n`).join("")

describe("checkGeminiEvents", () => {
  it.each<[string, ReadonlyArray<Json>]>([
    ["nothing said", [end]],
    [
      "all that can be said",
      [
        event({ text: "so", thought: true }),
        event({ text: "", thought: true, thoughtSignature: "c2ln" }),
        text,
        event({ ...call, thoughtSignature: "c2ln" }),
        event({ inlineData: { mimeType: "image/png", data: "AAAA" } }),
        event({ executableCode: {} }, { index: 1 }, { usageMetadata }),
        event({ text: "b" }, { index: 1, finishReason: "MAX_TOKENS" }),
        end
      ]
    ],
    [
      "a blocked prompt",
      [{ ...end, candidates: undefined, promptFeedback: { blockReason: "SAFETY" } }]
    ],
    ["separators of lines and paragraphs", [event({ text: "\u2028\u2029" }), end]],
    ["an error at once", [error]],
    ["an error in the middle", [text, error]]
  ])("accepts %s", (_, events) => {
    expect(checkGeminiEvents(encode(events))).toEqual([])
  })

  it.each<[string, ReadonlyArray<Json>]>([
    ["nothing", []],
    ["no end", [text]],
    ["two ends", [end, end]],
    ["an open candidate", [event({ text: "a" }, { index: 1 }), end]],
    ["something after the end", [end, text]],
    ["something after an error", [error, end]],
    ["an error without a status", [{ error: { code: 500, message: "no" } }]],
    ["no usage", [{ ...end, usageMetadata: undefined }]],
    [
      "a total that is wrong",
      [{ ...end, usageMetadata: { ...usageMetadata, totalTokenCount: 5 } }]
    ],
    [
      "counts that shrink",
      [
        {
          ...text,
          usageMetadata: { ...usageMetadata, candidatesTokenCount: 9, totalTokenCount: 13 }
        },
        end
      ]
    ],
    ["a count that is none", [{ ...end, usageMetadata: { promptTokenCount: "3" } }]],
    ["no id", [{ ...end, responseId: undefined }]],
    ["another id", [{ ...text, responseId: "other" }, end]],
    ["another model", [{ ...text, modelVersion: "other" }, end]],
    ["no candidates", [{ ...text, candidates: [] }, end]],
    ["no index", [event({ text: "a" }, { index: undefined }), end]],
    ["no role", [event({ text: "a" }, { content: { parts: [{ text: "a" }] } }), end]],
    ["no parts", [event({ text: "a" }, { content: { role: "model", parts: [] } }), end]],
    ["a part of nothing", [event({ thought: true }), end]],
    ["a part of two kinds", [event({ text: "a", ...call }), end]],
    ["a thought that is false", [event({ text: "a", thought: false }), end]],
    ["a signature that is no base64", [event({ text: "a", thoughtSignature: "a.b" }), end]],
    ["a call without an id", [event({ functionCall: { name: "f", args: {} } }), end]],
    ["a call without arguments", [event({ functionCall: { id: "a", name: "f" } }), end]],
    ["a call that comes twice", [event(call), event(call), end]],
    ["a medium without a type", [event({ inlineData: { data: "AAAA" } }), end]],
    ["an unknown reason", [event({ text: "" }, { finishReason: "stop" }, { usageMetadata })]]
  ])("rejects %s", (_, events) => {
    expect(checkGeminiEvents(encode(events))).not.toEqual([])
  })

  it("requires lines of data that are JSON, and nothing else", () => {
    const body = encode([end])
    expect(checkGeminiEvents(body.trimEnd())).not.toEqual([])
    expect(checkGeminiEvents(`event: message\n${body}`)).not.toEqual([])
    expect(checkGeminiEvents(`${body}data: [DONE]\n\n`)).not.toEqual([])
    expect(checkGeminiEvents(`data: {\n\n${body}`)).not.toEqual([])
  })
})
