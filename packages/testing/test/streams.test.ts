import { fault, pace, reply } from "../src/index.ts"
import { describe, expect, it } from "vitest"
import { chat, chatRequest, decide, schema, start, startUpstream, exchangeRaw } from "./client.ts"

const stream = { stream: true }
const chatStream = { body: chatRequest(stream), path: "/v1/chat/completions" }

/** The `data` of each event. */
const parseData = (text: string): ReadonlyArray<unknown> =>
  text
    .split("\n\n")
    .filter((event) => event !== "")
    .map((event) => {
      const data = event.replace(/^data: /, "")
      return data === "[DONE]" ? data : JSON.parse(data)
    })

const chunk = (delta: object, finish_reason: string | null = null) =>
  expect.objectContaining({
    object: "chat.completion.chunk",
    model: "judge-mini",
    choices: [{ index: 0, delta, logprobs: null, finish_reason }]
  })

describe("a streamed chat", () => {
  it("has role, deltas, finish reason and [DONE]", async () => {
    const upstream = await startUpstream()
    upstream.script(reply.chat(["Hel", "lo"]))
    const { headers, status, text } = await chat(upstream, stream)
    expect([status, headers["content-type"], headers["content-length"]]).toEqual([
      200,
      "text/event-stream",
      undefined
    ])
    expect(parseData(text)).toEqual([
      chunk({ role: "assistant", content: "" }),
      chunk({ content: "Hel" }),
      chunk({ content: "lo" }),
      chunk({}, "stop"),
      "[DONE]"
    ])
  })

  it("streams any answer, including default and flawed ones", async () => {
    const upstream = await startUpstream()
    const json = schema({ q0: { type: "number" }, q1: { enum: ["first", "second"] } })
    const texts = async (parameters: object) =>
      parseData((await chat(upstream, { ...stream, ...parameters })).text)
        .map(
          (data) =>
            (data as { choices?: [{ delta: { content?: string } }] }).choices?.[0].delta.content
        )
        .filter((content) => content !== undefined)
    expect(await texts({})).toEqual(["", "All ", "is ", "well."])
    const pieces = await texts(json)
    expect(pieces.length).toBeGreaterThan(2)
    expect(JSON.parse(pieces.join(""))).toEqual({ q0: 2 / 3, q1: "first" })
    upstream.script(fault.flawed("not_a_number"))
    expect(JSON.parse((await texts(json)).join(""))).toEqual({ q0: "NaN", q1: "first" })
  })

  it("has usage before [DONE] if requested", async () => {
    const upstream = await startUpstream()
    upstream.script(reply.chat("Hello", { usage: { inputTokens: 5, outputTokens: 2 } }))
    const events = parseData(
      (await chat(upstream, { ...stream, stream_options: { include_usage: true } })).text
    )
    expect(events.slice(-2)).toEqual([
      expect.objectContaining({
        choices: [],
        usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 }
      }),
      "[DONE]"
    ])
  })

  it("has the logprobs with the first text", async () => {
    const upstream = await startUpstream()
    upstream.script(reply.logprobs({ 2: 0.75, 1: 0.25 }))
    const events = parseData(
      (await chat(upstream, { ...stream, logprobs: true, top_logprobs: 1 })).text
    )
    expect(events[1]).toMatchObject({
      choices: [
        {
          delta: { content: "2" },
          logprobs: { content: [{ token: "2", top_logprobs: [{ token: "2" }] }] }
        }
      ]
    })
  })

  it("streams a refusal as one", async () => {
    const upstream = await startUpstream()
    upstream.script(fault.refusal(), fault.refusal("filter"))
    expect(parseData((await chat(upstream, stream)).text).slice(0, 2)).toEqual([
      chunk({ role: "assistant", refusal: "" }),
      chunk({ refusal: "I can't help with that." })
    ])
    expect(parseData((await chat(upstream, stream)).text).at(-2)).toEqual(
      chunk({}, "content_filter")
    )
  })

  it("waits between pieces, by time and by gate", async () => {
    const upstream = await startUpstream()
    const gate = upstream.gate()
    upstream.script(reply.chat([gate, "one ", 60, "two"]))
    const url = `${upstream.url}/v1/chat/completions`
    const response = await start(url, chatRequest(stream))
    let text = ""
    response.body.on("data", (bytes: Buffer) => (text += bytes.toString()))
    const ended = new Promise((resolve) => response.body.once("end", resolve))
    await expect.poll(() => text).toContain("assistant")
    expect(text).not.toContain("one ")
    const before = performance.now()
    gate.open()
    await ended
    expect(performance.now() - before).toBeGreaterThanOrEqual(59)
    expect(parseData(text).slice(1, 3)).toEqual([
      chunk({ content: "one " }),
      chunk({ content: "two" })
    ])
  })

  it("does not wait if the request asks for a whole answer", async () => {
    const upstream = await startUpstream()
    upstream.script(reply.chat(["one ", upstream.gate(), "two"]))
    expect(JSON.parse((await chat(upstream)).text).choices[0].message.content).toBe("one two")
  })

  it("has reasoning first and tool calls last, with arguments in pieces", async () => {
    const upstream = await startUpstream()
    const call = { id: "call_1", name: "look_up", arguments: '{"word":"lighthouse"}' }
    upstream.script(reply.chat(["Wait."], { reasoning: "Hm.", toolCalls: [call] }))
    const first = { id: "call_1", type: "function", function: { name: "look_up", arguments: "" } }
    expect(parseData((await chat(upstream, stream)).text).slice(1)).toEqual([
      chunk({ reasoning: "Hm." }),
      chunk({ content: "Wait." }),
      chunk({ tool_calls: [{ index: 0, ...first }] }),
      chunk({ tool_calls: [{ index: 0, function: { arguments: '{"word":"lightho' } }] }),
      chunk({ tool_calls: [{ index: 0, function: { arguments: 'use"}' } }] }),
      chunk({}, "tool_calls"),
      "[DONE]"
    ])
  })

  it("has n answers in turn", async () => {
    const upstream = await startUpstream()
    upstream.script(reply.chat("Hello"))
    const events = parseData((await chat(upstream, { ...stream, n: 2 })).text)
    expect(events.slice(2, 6)).toMatchObject([
      { choices: [{ index: 0, delta: { content: "Hello" } }] },
      { choices: [{ index: 1, delta: { content: "Hello" } }] },
      { choices: [{ index: 0, finish_reason: "stop" }] },
      { choices: [{ index: 1, finish_reason: "stop" }] }
    ])
  })

  it("ends in an error event, without usage and [DONE]", async () => {
    const upstream = await startUpstream()
    upstream.script(fault.errorEvent(529, ["Half "]))
    const events = parseData(
      (await chat(upstream, { ...stream, stream_options: { include_usage: true } })).text
    )
    expect(events.slice(1)).toMatchObject([
      { choices: [{ delta: { content: "Half " } }] },
      {
        error: { code: 529, message: "Provider disconnected" },
        choices: [{ delta: { content: "" }, finish_reason: "error" }]
      }
    ])
  })

  it("ends in order without [DONE]", async () => {
    const upstream = await startUpstream()
    upstream.script(reply.chat("Hello", { done: false }))
    const { text } = await exchangeRaw(upstream, chatStream)
    expect(text).not.toContain("[DONE]")
    expect(text.endsWith("0\r\n\r\n")).toBe(true)
  })

  it("ends abruptly after half of its events", async () => {
    const upstream = await startUpstream()
    upstream.always(fault.truncated("chunked", reply.chat(["one ", "two ", "three"])))
    const { ending, text } = await exchangeRaw(upstream, chatStream)
    expect(ending).toBe("FIN")
    expect(text).toContain('"content":"two "')
    expect(text).not.toContain("three")
    expect(text.endsWith("0\r\n\r\n")).toBe(false)
    await expect(chat(upstream, stream)).rejects.toMatchObject({ code: "UND_ERR_SOCKET" })
  })

  it("is reset after half of its events", async () => {
    const upstream = await startUpstream()
    const gate = upstream.gate()
    const step = fault.drop("response_body", reply.chat(["one ", "two ", "three"]))
    const openAfterTwo = (text: string) => {
      if (text.includes("two ")) gate.open()
    }
    upstream.script(pace.hold(gate, "response_body", step))
    const { ending, text } = await exchangeRaw(upstream, { ...chatStream, onData: openAfterTwo })
    expect(ending).toBe("ECONNRESET")
    expect(text).not.toContain("three")
  })
})

describe("scripted events", () => {
  it("are sent unchanged in any API, with names, comments and waits", async () => {
    const upstream = await startUpstream()
    upstream.script(
      reply.events([
        { comment: "keepalive" },
        { event: "error", data: { error: { code: 502, message: "gone" } } },
        5,
        { data: "two\nlines" },
        { data: "[DONE]" }
      ])
    )
    const { headers, text } = await decide(upstream)
    expect(headers["content-type"]).toBe("text/event-stream")
    expect(text).toBe(
      ": keepalive\n\n" +
        'event: error\ndata: {"error":{"code":502,"message":"gone"}}\n\n' +
        "data: two\ndata: lines\n\n" +
        "data: [DONE]\n\n"
    )
  })

  it("may be empty, and truncated", async () => {
    const upstream = await startUpstream()
    upstream.script(reply.events([]), fault.truncated("chunked", reply.events([])))
    expect(await chat(upstream, stream)).toMatchObject({ status: 200, text: "" })
    await expect(chat(upstream, stream)).rejects.toMatchObject({ code: "UND_ERR_SOCKET" })
  })
})
