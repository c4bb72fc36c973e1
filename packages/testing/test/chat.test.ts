import { fault, reply } from "../src/index.ts"
import { describe, expect, it } from "vitest"
import { chat, chatRequest, post, schema, startUpstream } from "./client.ts"

const sendChat = (content: unknown, parameters: object = {}) => ({
  messages: [
    { role: "system", content: "You judge content." },
    { role: "user", content }
  ],
  ...parameters
})

const parseMessage = (text: string) => JSON.parse(text).choices[0].message
const parseContent = (text: string) => JSON.parse(parseMessage(text).content)

/** The candidates for the first token and their probabilities. */
const parseTopLogprobs = (text: string) =>
  JSON.parse(text).choices[0].logprobs.content[0].top_logprobs.map(
    ({ logprob, token }: { logprob: number; token: string }) => [token, Math.exp(logprob)]
  )

const probability = { type: "number", minimum: 0, maximum: 1 }

describe("the chat API", () => {
  it("answers prose without a script", async () => {
    const upstream = await startUpstream()
    const { status, text } = await chat(upstream)
    expect(status).toBe(200)
    expect(JSON.parse(text)).toEqual({
      id: "chatcmpl-1",
      object: "chat.completion",
      created: 1_700_000_000,
      model: "judge-mini",
      choices: [
        {
          index: 0,
          message: { role: "assistant", content: "All is well.", refusal: null },
          logprobs: null,
          finish_reason: "stop"
        }
      ],
      usage: {
        prompt_tokens: Math.ceil(JSON.stringify(chatRequest()).length / 4),
        completion_tokens: 3,
        total_tokens: Math.ceil(JSON.stringify(chatRequest()).length / 4) + 3
      }
    })
  })

  it("answers and reports as scripted", async () => {
    const upstream = await startUpstream()
    upstream.script(
      reply.chat("Cut sho", {
        finishReason: "length",
        id: "chatcmpl-x",
        model: "judge-mini-2026",
        provider: "Elsewhere",
        cost: 0.5,
        usage: { inputTokens: 11, outputTokens: 2 }
      })
    )
    expect(JSON.parse((await chat(upstream)).text)).toMatchObject({
      id: "chatcmpl-x",
      model: "judge-mini-2026",
      provider: "Elsewhere",
      choices: [{ message: { content: "Cut sho" }, finish_reason: "length" }],
      usage: { prompt_tokens: 11, completion_tokens: 2, total_tokens: 13, cost: 0.5 }
    })
  })

  it("sends tool calls, reasoning and usage details", async () => {
    const upstream = await startUpstream()
    upstream.script(
      reply.chat([], {
        reasoning: "Hm.",
        toolCalls: [{ id: "call_1", name: "look_up", arguments: "{}" }],
        usageDetails: { prompt_tokens_details: { cached_tokens: 3 } }
      })
    )
    expect(JSON.parse((await chat(upstream)).text)).toMatchObject({
      choices: [
        {
          message: {
            content: null,
            reasoning: "Hm.",
            tool_calls: [
              { id: "call_1", type: "function", function: { name: "look_up", arguments: "{}" } }
            ]
          },
          finish_reason: "tool_calls"
        }
      ],
      usage: { completion_tokens: 2, prompt_tokens_details: { cached_tokens: 3 } }
    })
  })

  it("sends n answers", async () => {
    const upstream = await startUpstream()
    const { choices, usage } = JSON.parse((await chat(upstream, { n: 2 })).text)
    expect(choices).toMatchObject([
      { index: 0, message: { content: "All is well." } },
      { index: 1, message: { content: "All is well." } }
    ])
    expect(usage.completion_tokens).toBe(6)
  })

  it("reports an error within an answer", async () => {
    const upstream = await startUpstream()
    upstream.script(fault.errorEvent(502, ["Half "]))
    expect(JSON.parse((await chat(upstream)).text).choices).toMatchObject([
      {
        message: { content: "Half " },
        finish_reason: "error",
        error: { code: 502, message: "Provider disconnected" }
      }
    ])
  })

  it.each([
    ["no messages", { messages: undefined }],
    ["no model", { model: undefined }]
  ])("rejects %s with a 400", async (_, parameters) => {
    const upstream = await startUpstream()
    const { status, text } = await chat(upstream, parameters)
    expect(status).toBe(400)
    expect(JSON.parse(text).error).toEqual({
      message: "model and messages are required",
      type: "invalid_request_error",
      param: null,
      code: null
    })
  })
})

describe("structured output", () => {
  const asked = schema({
    q0: probability,
    q1: { type: "object", properties: { o0: probability, o1: probability, o2: probability } }
  })

  it("fits the schema: a number is a yes/no question, an object of numbers a distribution", async () => {
    const upstream = await startUpstream()
    expect(parseContent((await chat(upstream, asked)).text)).toEqual({
      q0: 2 / 3,
      q1: { o0: 3 / 6, o1: 2 / 6, o2: 1 / 6 }
    })
  })

  it("has scripted values, by key and in order", async () => {
    const upstream = await startUpstream()
    upstream.script(
      reply.decision({ q0: 0.1, q1: { o2: 1 } }),
      reply.decision([0.1, [0, 0.25, 0.75]]),
      reply.decision({ urgent: 1 })
    )
    expect(parseContent((await chat(upstream, asked)).text)).toEqual({
      q0: 0.1,
      q1: { o0: 0, o1: 0, o2: 1 }
    })
    expect(parseContent((await chat(upstream, asked)).text)).toEqual({
      q0: 0.1,
      q1: { o0: 0, o1: 0.25, o2: 0.75 }
    })
    const { status, text } = await chat(upstream, asked)
    expect(status).toBe(500)
    expect(JSON.parse(text).error).toMatchObject({
      message: 'The script does not fit: "urgent" is not asked; asked are: q0, q1',
      type: "server_error"
    })
  })

  it("fits the other shapes a schema can have", async () => {
    const upstream = await startUpstream()
    upstream.script(
      reply.decision({ label: [0.1, 0.9], sure: 0.3, levels: [0.1, 0.9], pair: [1, 0] })
    )
    const properties = {
      label: { enum: ["calm", "angry"] },
      sure: { type: "boolean" },
      levels: { type: "array", items: probability, minItems: 2 },
      pair: { type: "array", prefixItems: [probability, { $ref: "#/$defs/p" }] },
      answers: { type: "object", properties: { deep: probability, note: { type: "string" } } },
      list: { type: "array", items: { type: "string" } },
      version: { const: 3 },
      either: { anyOf: [{ type: "integer", minimum: 4 }, { type: "null" }] },
      nullable: { oneOf: [{ type: ["integer", "null"] }] },
      nothing: { type: "null" }
    }
    const asked = schema(properties, { p: probability })
    expect(parseContent((await chat(upstream, asked)).text)).toEqual({
      label: "angry",
      sure: false,
      levels: [0.1, 0.9],
      pair: [1, 0],
      answers: { deep: 2 / 3, note: "" },
      list: [""],
      version: 3,
      either: 4,
      nullable: 0,
      nothing: null
    })
  })
})

describe("one token with logprobs", () => {
  const prompt =
    "<state-1>\n1: not an option\n2: nor this\n3: nor that\n4: nor these\n</state-1>\n\n" +
    'Question: Who should answer?\nOptions:\n1: "billing"\n2: "sales"\n3: "support"\n' +
    "Reply with the number of the best option only."

  it("is one of the identifiers of the options", async () => {
    const upstream = await startUpstream()
    const { text } = await chat(upstream, sendChat(prompt, { logprobs: true, top_logprobs: 2 }))
    const [choice] = JSON.parse(text).choices
    expect(choice.message.content).toBe("1")
    expect(choice.logprobs.refusal).toBeNull()
    expect(choice.logprobs.content).toEqual([
      {
        token: "1",
        logprob: Math.log(3 / 6),
        bytes: [0x31],
        top_logprobs: [
          { token: "1", logprob: Math.log(3 / 6), bytes: [0x31] },
          { token: "2", logprob: Math.log(2 / 6), bytes: [0x32] }
        ]
      }
    ])
  })

  it.each([
    ["bracketed numbers from 0", "[0] a\n[1] b\n[2] c", ["0", "1", "2"]],
    ["letters", "A) a\nB) b", ["A", "B"]],
    ["the last list of several", "1. x\n2. y\n3. z\nThen:\n1. a\n2. b", ["1", "2"]]
  ])("reads %s", async (_, prompt, identifiers) => {
    const upstream = await startUpstream()
    const { text } = await chat(
      upstream,
      sendChat([{ type: "text", text: prompt }, { type: "image_url" }], {
        logprobs: true,
        top_logprobs: 20
      })
    )
    const [{ top_logprobs }] = JSON.parse(text).choices[0].logprobs.content
    expect(top_logprobs.map(({ token }: { token: string }) => token)).toEqual(identifiers)
  })

  it("has scripted probabilities, without zeros", async () => {
    const upstream = await startUpstream()
    upstream.script(
      reply.decision([{ 2: 0.8, 3: 0.2 }]),
      reply.logprobs({ " 3": 0.5, "3": 0.3, No: 0.2 })
    )
    const asked = sendChat(prompt, { logprobs: true, top_logprobs: 20 })
    const first = await chat(upstream, asked)
    expect(parseMessage(first.text).content).toBe("2")
    expect(parseTopLogprobs(first.text)).toEqual([
      ["2", expect.closeTo(0.8, 12)],
      ["3", expect.closeTo(0.2, 12)]
    ])
    const second = await chat(upstream, asked)
    expect(parseMessage(second.text).content).toBe(" 3")
    expect(parseTopLogprobs(second.text)).toEqual([
      [" 3", expect.closeTo(0.5, 12)],
      ["3", expect.closeTo(0.3, 12)],
      ["No", expect.closeTo(0.2, 12)]
    ])
  })

  it("has candidates and logprobs only if requested", async () => {
    const upstream = await startUpstream()
    const shown = await chat(upstream, sendChat(prompt, { logprobs: true }))
    expect(JSON.parse(shown.text).choices[0].logprobs.content[0].top_logprobs).toEqual([])
    const hidden = await chat(upstream, sendChat(prompt))
    expect(JSON.parse(hidden.text).choices[0].logprobs).toBeNull()
    expect(parseMessage(hidden.text).content).toBe("1")
  })

  it("is prose with certainty if the prompt lists no options", async () => {
    const upstream = await startUpstream()
    const { text } = await chat(upstream, { logprobs: true, top_logprobs: 5 })
    const [{ logprob, token, top_logprobs }] = JSON.parse(text).choices[0].logprobs.content
    expect([token, logprob, top_logprobs.length]).toEqual(["All is well.", 0, 1])
  })
})

describe("plain JSON", () => {
  it("answers questions listed in the prompt with probabilities", async () => {
    const upstream = await startUpstream()
    const prompt =
      "<state-1>\nq9: Is this a question?\nOptions:\no0: no\n</state-1>\n\n" +
      'Reply with one JSON object.\n\nq0 (yes/no): Is it urgent?\nyes: "soon"\nno: "later"\n\n' +
      'q1: Who should answer?\nOptions:\no0: "billing"\no1: "sales"\n'
    upstream.script(reply.decision(), reply.decision({ q1: [0, 1] }))
    expect(parseContent((await chat(upstream, sendChat(prompt))).text)).toEqual({
      q0: 2 / 3,
      q1: { o0: 2 / 3, o1: 1 / 3 }
    })
    expect(parseContent((await chat(upstream, sendChat(prompt))).text).q1).toEqual({ o0: 0, o1: 1 })
  })

  it("answers numbered options with the number of the most probable", async () => {
    const upstream = await startUpstream()
    upstream.script(
      reply.decision(),
      reply.decision([
        [0.1, 0.9],
        [0, 0, 1]
      ])
    )
    const prompt =
      "Reply with one JSON object.\n\nq0: Is it urgent?\nOptions:\n1: yes\n2: no\n\n" +
      "q1: How bad?\nOptions:\n1: fine\n2: bad\n3: worse\n"
    const asked = sendChat(prompt, { response_format: { type: "json_object" } })
    expect(parseContent((await chat(upstream, asked)).text)).toEqual({ q0: 1, q1: 1 })
    expect(parseContent((await chat(upstream, asked)).text)).toEqual({ q0: 2, q1: 3 })
  })

  it("answers an empty object if JSON is requested without questions", async () => {
    const upstream = await startUpstream()
    const { text } = await chat(upstream, { response_format: { type: "json_object" } })
    expect(parseContent(text)).toEqual({})
  })
})

describe("paths", () => {
  it("serves chat at both paths, and a 404 does not consume a step", async () => {
    const upstream = await startUpstream()
    upstream.script(reply.chat("scripted"))
    const astray = await post(`${upstream.url}/v2/chat/completions`, chatRequest())
    expect(astray.status).toBe(404)
    expect(JSON.parse(astray.text).error).toEqual({
      code: 404,
      message: "No provider listens at POST /v2/chat/completions"
    })
    const found = await post(`${upstream.url}/api/v1/chat/completions`, chatRequest())
    expect(parseMessage(found.text).content).toBe("scripted")
    expect(upstream.requests.map(({ path }) => path)).toEqual([
      "/v2/chat/completions",
      "/api/v1/chat/completions"
    ])
  })
})
