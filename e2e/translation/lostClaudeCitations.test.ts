/** What Claude cites by its own search reaches the client of each API. */
import { describe, expect, test } from "vitest"
import type { NativeAnswer } from "../dialects/NativeAnswer.ts"
import { callers, startOddServer } from "./OddServer.ts"

const said = "The tower is 330 m high."
const citation = {
  type: "web_search_result_location",
  url: "https://tower.example/height",
  title: "Height",
  encrypted_index: "opaque==",
  cited_text: "It stands 330 metres"
}
/** A document of the caller, which has no address. */
const ofDocument = {
  type: "char_location",
  cited_text: "330 m",
  document_index: 0,
  document_title: "Notes",
  start_char_index: 0,
  end_char_index: 5
}
const usage = { input_tokens: 12, output_tokens: 7 }
const head = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "claude",
  stop_reason: null,
  stop_sequence: null
}
const start = { type: "content_block_start", index: 0 }
const delta = { type: "content_block_delta", index: 0 }

const toEvent = (data: { readonly type: string; readonly [field: string]: unknown }) => ({
  event: data.type,
  data
})

const answer: NativeAnswer = {
  whole: {
    ...head,
    content: [{ type: "text", text: said, citations: [citation, ofDocument] }],
    stop_reason: "end_turn",
    usage
  },
  events: [
    { type: "message_start", message: { ...head, content: [], usage } },
    { ...start, content_block: { type: "text", text: "", citations: [] } },
    { ...delta, delta: { type: "text_delta", text: said } },
    { ...delta, delta: { type: "citations_delta", citation } },
    { ...delta, delta: { type: "citations_delta", citation: ofDocument } },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "end_turn" }, usage },
    { type: "message_stop" }
  ].map(toEvent)
}

describe.each(callers)("by the API $name (stream: $isStreamed)", (caller) => {
  test("pages that Claude has found are cited", async () => {
    const { ask } = await startOddServer()
    const { content, text } = await ask(caller, answer, { provider: "messages" })
    expect(content).toBe(said)
    expect(text).toContain('"url":"https://tower.example/height"')
    expect(text).toContain('"title":"Height"')
  })
})

test("chats cite in their annotations, and what has no address not at all", async () => {
  const { ask } = await startOddServer()
  for (const caller of callers.filter(({ name }) => name === "chat")) {
    const { text } = await ask(caller, answer, { provider: "messages" })
    const cited = Array.from(text.matchAll(/"url_citation":(\{.*?\})/g), ([, json = ""]) =>
      JSON.parse(json)
    )
    expect(cited).toEqual([
      { url: "https://tower.example/height", title: "Height", content: "It stands 330 metres" }
    ])
  }
})
