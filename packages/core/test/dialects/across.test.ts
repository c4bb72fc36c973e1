import { describe, expect, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { scaleRuns } from "../../../../vitest.scope.ts"
import { parseMessagesRequest } from "../../src/dialects/messages/parseRequest.ts"
import { writeMessagesRequest } from "../../src/dialects/messages/writeRequest.ts"
import { parseResponsesRequest } from "../../src/dialects/responses/parseRequest.ts"
import { writeResponsesRequest } from "../../src/dialects/responses/writeRequest.ts"
import { pieceSizes, spokenParts, toBlocks, toDeltas } from "./messages/streamArbitraries.ts"
import { listDeltas } from "./readEvents.ts"
import * as messages from "./messages/streams.ts"
import * as responses from "./responses/streams.ts"

type Json = Readonly<Record<string, unknown>>

const openai = "openai-responses-v1"

const detail = (type: string, said: Json, index: number) => ({
  reasoning_details: [{ type, ...said, id: "rs_1", format: openai, index }]
})

describe("an answer of a model behind Anthropic's API", () => {
  it("comes back whole from a client of the Responses API", () => {
    fc.assert(
      fc.property(spokenParts, pieceSizes, (parts, sizes) => {
        fc.pre(parts.length > 0)
        // The model streams; the client gets events of its own API, and sends their items back.
        const { events } = messages.readStream(
          messages.writeStream({ deltas: toDeltas(parts, sizes) })
        )
        const output = responses.getOutput(
          responses.reparse(responses.writeDeltas(listDeltas(events)))
        )
        const results = parts.flatMap((part) =>
          part.type === "call"
            ? [{ type: "function_call_output", call_id: part.id, output: "done" }]
            : []
        )
        const conversation = Result.getOrThrow(
          parseResponsesRequest({
            input: [
              { role: "user", content: "hi" },
              ...output,
              ...results,
              { role: "user", content: "and?" }
            ]
          })
        )
        const written = Result.getOrThrow(
          writeMessagesRequest(conversation, { maxOutputTokens: 1 })
        )
        const [, answered] = written["messages"] as ReadonlyArray<Json>
        // Citations belong to answers only.
        const blocks = toBlocks(parts).map((block) => ({ ...block, citations: undefined }))
        expect(JSON.parse(JSON.stringify(answered?.["content"]))).toEqual(
          JSON.parse(JSON.stringify(blocks))
        )
      }),
      { numRuns: scaleRuns(300) }
    )
  })
})

describe("an answer of a model behind the Responses API", () => {
  it("comes back whole from a client of the Messages API", () => {
    const upstream = responses.reparse(
      responses.writeEvents([
        detail("reasoning.summary", { summary: "so" }, 0),
        detail("reasoning.encrypted", { data: "secret" }, 1),
        { content: "Hello" },
        { tool_calls: [{ index: 0, id: "call_1", function: { name: "f", arguments: '{"x":' } }] },
        { tool_calls: [{ index: 0, function: { arguments: "1}" } }] },
        "tool_calls"
      ])
    )
    const { events } = responses.readStream(upstream)
    const content = messages
      .collectBlocks(messages.writeDeltas(listDeltas(events)))
      .map((block) =>
        block["type"] === "tool_use"
          ? { ...block, input: JSON.parse(String(block["input"])) as unknown }
          : block
      )
    expect(content.map(({ type }) => type)).toEqual(["thinking", "text", "tool_use"])
    const conversation = Result.getOrThrow(
      parseMessagesRequest({
        messages: [
          { role: "user", content: "hi" },
          { role: "assistant", content },
          { role: "user", content: [{ type: "tool_result", tool_use_id: "call_1" }] }
        ]
      })
    )
    const written = Result.getOrThrow(writeResponsesRequest(conversation, { model: "m" }))
    expect(written["input"]).toMatchObject([
      { role: "user" },
      {
        type: "reasoning",
        summary: [{ type: "summary_text", text: "so" }],
        encrypted_content: "secret"
      },
      { role: "assistant", content: [{ text: "Hello" }] },
      { type: "function_call", call_id: "call_1", name: "f", arguments: '{"x":1}' },
      { type: "function_call_output", call_id: "call_1" }
    ])
  })
})
