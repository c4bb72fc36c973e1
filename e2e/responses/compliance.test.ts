/** The cases of the Open Responses compliance tests that need no stored responses, decoded by a strictly typed client. */
import {
  OpenResponsesResult$inboundSchema,
  StreamEvents$inboundSchema
} from "@openrouter/sdk/models"
import { reply } from "@signalbox/testing"
import { describe, expect, test } from "vitest"
import { providerDialects } from "../dialects/ProviderDialect.ts"
import { type ResponsesServer, startResponsesServer } from "./ResponsesServer.ts"

type Json = Readonly<Record<string, unknown>>

const usage = { inputTokens: 10, outputTokens: 3 }
const hello = reply.chat(["Hello ", "there, ", "friend."], { usage })
const weather = {
  type: "function",
  name: "get_weather",
  description: "Get the current weather for a location",
  parameters: {
    type: "object",
    properties: { location: { type: "string" } },
    required: ["location"]
  }
}
const call = reply.chat([], {
  toolCalls: [{ id: "call_1", name: "get_weather", arguments: '{"location":"San Francisco"}' }],
  usage
})
const png =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

const message = (role: string, content: unknown, more: Json = {}) => ({
  type: "message",
  role,
  content,
  ...more
})

const answered: ReadonlyArray<readonly [string, Json]> = [
  ["basic-response", { input: [message("user", "Say hello in exactly 3 words.")] }],
  [
    "system-prompt",
    {
      input: [
        message("system", "You are a pirate. Always respond in pirate speak."),
        message("user", "Say hello.")
      ]
    }
  ],
  [
    "multi-turn",
    {
      input: [
        message("user", "My name is Alice."),
        message("assistant", "Hello Alice! Nice to meet you."),
        message("user", "What is my name?")
      ]
    }
  ],
  [
    "assistant-phase",
    {
      input: [
        message("user", "Look it up."),
        message("assistant", "Let me look.", { phase: "commentary" }),
        message("assistant", "It is calm.", { phase: "final_answer" }),
        message("user", "Thank you.")
      ]
    }
  ],
  [
    "image-input",
    {
      input: [
        message("user", [
          { type: "input_text", text: "What do you see? Answer in one sentence." },
          { type: "input_image", image_url: png }
        ])
      ]
    }
  ]
]

const isDecoded = (json: unknown): boolean =>
  OpenResponsesResult$inboundSchema.safeParse(json).success

/** The response of a stream whose events are all of the typed client's union. */
const streamResponse = async (server: ResponsesServer, request: object): Promise<unknown> => {
  const { events } = await server.stream(request)
  for (const event of events) {
    const decoded = StreamEvents$inboundSchema.safeParse(event)
    expect(decoded).toMatchObject({ success: true })
    expect(Object(decoded.data)).not.toMatchObject({ isUnknown: true })
  }
  return events.at(-1)?.["response"]
}

describe.each(providerDialects)("a provider of %s", (dialect) => {
  const model = `proof/${dialect}`

  test.each(answered)("%s", async (_, fields) => {
    const server = await startResponsesServer()
    server.providers[dialect].always(hello)
    const { body, status } = await server.ask({ model, stream: false, ...fields })
    expect(status).toBe(200)
    expect(isDecoded(body)).toBe(true)
    expect(body).toMatchObject({
      status: "completed",
      output: [{ content: [{ text: "Hello there, friend." }] }]
    })
  })

  test("streaming-response", async () => {
    const server = await startResponsesServer()
    server.providers[dialect].always(hello)
    const response = await streamResponse(server, {
      model,
      input: [message("user", "Count from 1 to 5.")]
    })
    expect(isDecoded(response)).toBe(true)
    expect(response).toMatchObject({
      status: "completed",
      output: [{ type: "message", content: [{ type: "output_text" }] }]
    })
  })

  test("tool-calling", async () => {
    const server = await startResponsesServer()
    server.providers[dialect].always(call)
    const { body } = await server.ask({
      model,
      stream: false,
      input: [message("user", "What's the weather like in San Francisco?")],
      tools: [weather]
    })
    expect(isDecoded(body)).toBe(true)
    expect(body).toMatchObject({
      output: [{ type: "function_call", name: "get_weather", status: "completed" }],
      tools: [{ ...weather, strict: null }]
    })
  })

  test("tool-calling-streaming", async () => {
    const server = await startResponsesServer()
    server.providers[dialect].always(call)
    const request = { model, input: [message("user", "The weather?")], tools: [weather] }
    const { events } = await server.stream(request)
    const types = new Set(events.map(({ type }) => type))
    for (const type of [
      "response.output_item.added",
      "response.function_call_arguments.delta",
      "response.function_call_arguments.done",
      "response.output_item.done"
    ]) {
      expect(types).toContain(type)
    }
    expect(isDecoded(await streamResponse(server, request))).toBe(true)
  })

  test("several at once", async () => {
    const server = await startResponsesServer()
    server.providers[dialect].always(hello)
    const answers = await Promise.all(
      answered.map(([, fields]) => server.ask({ model, stream: false, ...fields }))
    )
    expect(answers.map(({ status }) => status)).toEqual(answered.map(() => 200))
    expect(new Set(answers.map(({ headers }) => headers["x-generation-id"])).size).toBe(
      answered.length
    )
  })
})

test("response-output-phase-schema: the phase of a provider's message comes back", async () => {
  const server = await startResponsesServer()
  const said = {
    type: "message",
    id: "msg_1",
    role: "assistant",
    status: "completed",
    phase: "commentary",
    content: [{ type: "output_text", text: "Let me look.", annotations: [] }]
  }
  server.providers.responses.always(
    reply.json({ id: "resp_1", object: "response", status: "completed", output: [said] })
  )
  const { body } = await server.ask({ model: "proof/responses", input: "Hm?" })
  expect(isDecoded(body)).toBe(true)
  expect(body).toMatchObject({ output: [said] })
})
