import { describe, expect, it } from "vitest"
import { makeEventReader } from "../../app/api/readEvents.ts"
import { addToReply, hasBegun, noReply } from "../../app/pages/playground/ChatReply.ts"

const delta = (said: object) => ({ id: "gen-1", provider: "Northwind", choices: [{ delta: said }] })
const call = (index: number, name: string | undefined, pieces: string) => ({
  tool_calls: [{ index, function: { name, arguments: pieces } }]
})

describe("what a model says", () => {
  it("adds up from the chunks of a stream", () => {
    const chunks = [
      delta({ role: "assistant", content: "" }),
      delta({ content: "Hi" }),
      delta({ content: "." }),
      delta(call(0, "a", '{"x"')),
      delta(call(1, "b", "{}")),
      delta(call(0, undefined, ":1}")),
      { choices: [], usage: { cost: 0.25 } }
    ]
    expect(chunks.reduce(addToReply, noReply)).toEqual({
      id: "gen-1",
      provider: "Northwind",
      text: "Hi.",
      calls: [
        { name: "a", arguments: '{"x":1}' },
        { name: "b", arguments: "{}" }
      ],
      cost: 0.25,
      problem: undefined
    })
    expect(hasBegun(addToReply(noReply, chunks[0]))).toBe(false)
    expect(hasBegun(addToReply(noReply, chunks[1]))).toBe(true)
  })

  it("is read from a whole answer", () => {
    const message = { content: null, tool_calls: [{ function: { name: "a", arguments: "{}" } }] }
    expect(addToReply(noReply, { id: "gen-1", choices: [{ message }] })).toMatchObject({
      text: "",
      calls: [{ name: "a", arguments: "{}" }]
    })
  })

  it("keeps why a stream broke off", () => {
    const broken = addToReply(addToReply(noReply, delta({ content: "Hi" })), {
      error: { message: "The provider hung up" }
    })
    expect(broken).toMatchObject({ text: "Hi", problem: "The provider hung up" })
  })

  it.each([null, 1, [], {}, { choices: [null] }, { choices: [{ delta: { tool_calls: 1 } }] }])(
    "is as before after %j",
    (data) => {
      expect(addToReply(noReply, data)).toEqual(noReply)
    }
  )
})

describe("server-sent events", () => {
  it("are read from pieces of any size, without comments and the end", () => {
    const text = ': keepalive\n\ndata: {"a":1}\r\n\ndata: {"b":2}\n\ndata: [DONE]\n\n'
    for (const size of [1, 7, 1_000]) {
      const read: Array<string> = []
      const next = makeEventReader((data) => read.push(data))
      for (let at = 0; at < text.length; at += size) next(text.slice(at, at + size))
      expect(read).toEqual(['{"a":1}', '{"b":2}'])
    }
  })
})
