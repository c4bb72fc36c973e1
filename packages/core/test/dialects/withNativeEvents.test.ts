import { describe, expect, it } from "vitest"
import { makeMessagesEventReader } from "../../src/dialects/messages/readEvents.ts"
import { withNativeEvents } from "../../src/dialects/makeDialectChat.ts"
import { UpstreamFailure } from "../../src/engine/upstreams/failures/UpstreamFailure.ts"

const start = {
  type: "message_start",
  message: { id: "msg_1", model: "m", usage: { input_tokens: 3, output_tokens: 0 } }
}
const open = { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }
const said = { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hi" } }
const close = { type: "content_block_stop", index: 0 }
const overloaded = { type: "error", error: { type: "overloaded_error", message: "busy" } }

const read = (events: ReadonlyArray<Record<string, unknown>>) => {
  const reader = withNativeEvents(makeMessagesEventReader())
  return events.map((event) => {
    const said = reader.read(event) ?? []
    return said instanceof UpstreamFailure ? said : [said].flat()
  })
}

describe("withNativeEvents", () => {
  it("adds events that say nothing in a chat to the first that does", () => {
    const [nothing, stillNothing, first] = read([start, open, said])
    expect([nothing, stillNothing]).toEqual([[], []])
    expect(first).toMatchObject([
      {
        type: "delta",
        choices: [{ events: [{ type: "text", text: "Hi" }] }],
        native: [start, open, said]
      }
    ])
  })

  it("passes events on at once after the first", () => {
    expect(read([start, open, said, close]).at(-1)).toEqual([
      { type: "delta", choices: [], native: [close] }
    ])
  })

  it("says nothing before an error that comes first, so that another provider may answer", () => {
    const [nothing, failure] = read([start, overloaded])
    expect(nothing).toEqual([])
    expect(failure).toBeInstanceOf(UpstreamFailure)
  })

  it("keeps one of the pings that come before the answer", () => {
    const pings = Array.from({ length: 1_000 }, () => ({ type: "ping" }))
    expect(read([start, ...pings, open, said]).at(-1)).toMatchObject([
      { native: [start, { type: "ping" }, open, said] }
    ])
  })

  it("begins the answer of a provider that sends many events without a text", () => {
    const code = { type: "delta_of_a_tool" }
    const reads = read([start, ...Array.from({ length: 300 }, () => code), said])
    const begins = reads.findIndex((events) => Array.isArray(events) && events.length > 0)
    expect(begins).toBe(255)
    expect(
      reads
        .flatMap((events) => (Array.isArray(events) ? events : []))
        .flatMap((event) => (event.type === "delta" ? event.native : []))
    ).toEqual([start, ...Array.from({ length: 300 }, () => code), said])
  })
})
