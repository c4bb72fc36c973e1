import { describe, expect, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { collectPrompt } from "../../src/dialects/collectPrompt.ts"
import { parseMessagesRequest } from "../../src/dialects/messages/parseRequest.ts"

describe("collectPrompt", () => {
  it("counts what the model reads: messages, results, tools and schemas", () => {
    const conversation = Result.getOrThrow(
      parseMessagesRequest({
        system: "system",
        messages: [
          {
            role: "user",
            content: [
              { type: "text", text: "question" },
              { type: "text", text: "" },
              { type: "image", source: { type: "url", url: "https://a.test/not-counted.png" } },
              { type: "document", source: { type: "text", media_type: "text/plain", data: "tä" } },
              { type: "document", source: { type: "base64", data: "AAAA" } }
            ]
          },
          {
            role: "assistant",
            content: [
              { type: "thinking", thinking: "thought", signature: "not counted" },
              { type: "redacted_thinking", data: "not counted" },
              { type: "tool_use", id: "not counted", name: "f", input: { x: 1 } },
              { type: "server_tool_use", id: "s" }
            ]
          },
          {
            role: "user",
            content: [
              {
                type: "tool_result",
                tool_use_id: "not counted",
                content: [
                  { type: "text", text: "result" },
                  { type: "image", source: { type: "base64", data: "AAAA" } }
                ]
              }
            ]
          }
        ],
        tools: [
          { name: "f", description: "does", input_schema: { type: "object" } },
          { type: "web_search_20260101", name: "web_search" }
        ],
        output_config: { format: { type: "json_schema", schema: { type: "array" } } }
      })
    )
    expect(collectPrompt(conversation)).toEqual({
      texts: [
        "system",
        "question",
        "tä",
        "thought",
        "f",
        '{"x":1}',
        '{"type":"server_tool_use","id":"s"}',
        "result",
        "f",
        "does",
        '{"type":"object"}',
        '{"type":"web_search_20260101","name":"web_search"}',
        '{"type":"array"}'
      ],
      images: 2,
      files: 1,
      audios: 0,
      videos: 0
    })
  })
})
