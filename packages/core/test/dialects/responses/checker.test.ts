import { assert, describe, it } from "@effect/vitest"
import { checkResponsesEvents } from "@signalbox/testing"
import type { NamedEvent } from "../../../src/dialects/NamedEvent.ts"
import { type Json, toBody, writeEvents } from "./streams.ts"

const events = writeEvents([
  {
    reasoning_details: [
      { type: "reasoning.summary", summary: "so", index: 0, format: "openai-responses-v1" }
    ]
  },
  { content: "a" },
  { content: "b" },
  { annotations: [{ type: "url_citation", url_citation: { url: "https://a.test" } }] },
  { tool_calls: [{ index: 0, id: "x", function: { name: "f", arguments: "{" } }] },
  { tool_calls: [{ index: 1, id: "y", function: { name: "g", arguments: "{}" } }] },
  { tool_calls: [{ index: 0, function: { arguments: "}" } }] },
  "tool_calls"
])

/** In sequence again, so that only the order is wrong. */
const renumber = (list: ReadonlyArray<NamedEvent>): ReadonlyArray<NamedEvent> =>
  list.map((event, sequence_number) => ({ ...event, sequence_number }))

const findProblems = (list: ReadonlyArray<NamedEvent>) => checkResponsesEvents(toBody(list))

const change = (type: string, fields: Json): ReadonlyArray<NamedEvent> => {
  const at = events.findIndex((event) => event.type === type)
  assert.isAtLeast(at, 0)
  return events.map((event, index) => (index === at ? { ...event, ...fields, type } : event))
}

describe("checkResponsesEvents", () => {
  it("accepts a stream with items of each type", () => {
    assert.deepStrictEqual(findProblems(events), [])
  })

  it("notices each event that is missing, and each that comes twice", () => {
    for (const [at, { type }] of events.entries()) {
      assert.isNotEmpty(findProblems(renumber(events.toSpliced(at, 1))), `without ${at} ${type}`)
      const twice = events.toSpliced(at, 0, ...events.slice(at, at + 1))
      assert.isNotEmpty(findProblems(renumber(twice)), `twice ${at} ${type}`)
    }
  })

  it.each<[string, ReadonlyArray<NamedEvent>]>([
    ["a wrong sequence", events.map((event) => ({ ...event, sequence_number: 1 }))],
    ["another item id", change("response.output_text.delta", { item_id: "msg_other" })],
    ["an index of no item", change("response.output_text.delta", { output_index: 9 })],
    ["no logprobs", change("response.output_text.done", { logprobs: undefined })],
    ["another whole text", change("response.output_text.done", { text: "other" })],
    [
      "an item that is not empty",
      change("response.output_item.added", {
        item: { id: "rs_1", type: "reasoning", status: "in_progress", summary: [{}] }
      })
    ],
    [
      "an empty last response",
      change("response.completed", {
        response: { ...Object(events.at(-1)?.["response"]), output: [] }
      })
    ],
    [
      "another response id",
      change("response.completed", {
        response: { ...Object(events.at(-1)?.["response"]), id: "other" }
      })
    ],
    [
      "an unknown event",
      change("response.output_text.done", { type: "response.text" }).map((event) =>
        event.type === "response.output_text.done" ? { ...event, type: "response.text" } : event
      )
    ]
  ])("notices %s", (_, wrong) => {
    assert.isNotEmpty(findProblems(wrong))
  })

  it("notices an end without a mark, and a mark without an end", () => {
    const body = toBody(events)
    assert.isNotEmpty(checkResponsesEvents(body.replace("data: [DONE]\n\n", "")))
    assert.isNotEmpty(checkResponsesEvents("data: [DONE]\n\n"))
    assert.isNotEmpty(checkResponsesEvents(""))
    assert.isNotEmpty(checkResponsesEvents(body.replaceAll(/event: .*\n/g, "")))
  })
})
