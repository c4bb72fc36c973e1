/** What single servers of the chat API refuse of calls and tools is said to them in another way. */
import { azureOpenai, deepseek, mistral, openai } from "@signalbox/openai"
import { describe, expect, test } from "vitest"
import type { Json } from "../dialects/NativeAnswer.ts"
import { isObject } from "../support/getProperty.ts"
import { asks, type Inbound, listIgnored } from "./inbound.ts"
import { type StrictProvider, StrictServer } from "./StrictServer.ts"

const listMessages = ({ messages }: Json): ReadonlyArray<Json> =>
  Array.isArray(messages) ? messages.filter(isObject) : []

const listIds = (body: Json): ReadonlyArray<unknown> =>
  listMessages(body).flatMap(({ tool_call_id: id, tool_calls: calls }) => [
    ...(id === undefined ? [] : [id]),
    ...(Array.isArray(calls) ? calls.filter(isObject).map((call) => call["id"]) : [])
  ])

const long = `call_${"x".repeat(55)}`

const loop = (id: string): ReadonlyArray<Json> => [
  { role: "user", content: "Look." },
  {
    role: "assistant",
    content: null,
    tool_calls: [{ id, type: "function", function: { name: "look", arguments: "{}" } }]
  },
  { role: "tool", tool_call_id: id, content: "Calm." },
  { role: "user", content: "So?" }
]

const own: StrictProvider = {
  makeUpstream: (url) => openai({ baseUrl: `${url}/v1`, apiKey: "sk-host" }),
  model: "acme"
}
const azure: StrictProvider = {
  makeUpstream: (url) => azureOpenai({ baseUrl: `${url}/openai/v1`, apiKey: "sk-host" }),
  model: "gpt-4.1"
}
const atMistral: StrictProvider = {
  makeUpstream: (url) => mistral({ baseUrl: `${url}/v1`, apiKey: "sk-host" }),
  model: "mistral-large"
}

const parameters = { type: "object", properties: {} }
const forced: Readonly<Record<Inbound["name"], Json>> = {
  chat: {
    tools: [{ type: "function", function: { name: "look", parameters } }],
    tool_choice: "required"
  },
  messages: { tools: [{ name: "look", input_schema: parameters }], tool_choice: { type: "any" } },
  responses: {
    tools: [{ type: "function", name: "look", parameters, strict: false }],
    tool_choice: "required"
  }
}

describe.each(asks)("by the API $name, $form", ({ isStreamed, name, path, toBody }) => {
  test.each([
    ["a server of one's own", own],
    ["Azure", azure]
  ])("%s gets ids of calls of 40 characters", async (_, provider) => {
    await using server = await StrictServer.start({
      providers: [provider],
      refuse: (body) =>
        listIds(body).some((id) => String(id).length > 40)
          ? "Invalid 'messages[1].tool_calls[0].id': string too long."
          : undefined
    })
    const answer = await server.ask(path, toBody(loop(long)), isStreamed)
    expect(answer.status).toBe(200)
    const [call, result] = listIds(server.sent)
    expect(call).toBe(result)
  })

  test("Mistral gets ids of nine characters, and a turn before the user's", async () => {
    await using server = await StrictServer.start({
      providers: [atMistral],
      refuse: (body) => {
        if (!listIds(body).every((id) => /^[a-zA-Z0-9]{9}$/.test(String(id)))) {
          return "Tool call id must be a-z, A-Z, 0-9, with a length of 9."
        }
        const roles = listMessages(body).map(({ role }) => role)
        return roles.some((role, at) => role === "user" && roles[at - 1] === "tool")
          ? "Unexpected role 'user' after role 'tool'"
          : undefined
      }
    })
    const answer = await server.ask(path, toBody(loop("call_1")), isStreamed)
    expect(answer.status).toBe(200)
    const [call, result] = listIds(server.sent)
    expect(call).toBe(result)
  })

  test("a forced call at DeepSeek turns its thinking off", async () => {
    await using server = await StrictServer.start({
      providers: [
        {
          makeUpstream: (url) => deepseek({ baseUrl: `${url}/v1`, apiKey: "sk-host" }),
          model: "deepseek-v4-pro"
        }
      ],
      refuse: ({ thinking, tool_choice: choice }) =>
        choice === "required" && Object(thinking).type !== "disabled"
          ? "Thinking mode does not support this tool_choice"
          : undefined
    })
    const body = { ...toBody([{ role: "user", content: "Look." }]), ...forced[name] }
    const answer = await server.ask(path, body, isStreamed)
    expect(answer.status).toBe(200)
  })
})

test("DeepSeek gets JSON without a schema, and the response reports it", async () => {
  await using server = await StrictServer.start({
    providers: [
      {
        makeUpstream: (url) => deepseek({ baseUrl: `${url}/v1`, apiKey: "sk-host" }),
        model: "deepseek-v4-pro"
      }
    ],
    refuse: ({ response_format: format }) =>
      Object(format).type === "json_schema"
        ? "This response_format type is unavailable now"
        : undefined
  })
  const answer = await server.ask(
    "/chat/completions",
    {
      messages: [{ role: "user", content: "JSON." }],
      response_format: {
        type: "json_schema",
        json_schema: { name: "a", schema: { type: "object", properties: {} } }
      }
    },
    false
  )
  expect([answer.status, listIgnored(answer)]).toEqual([200, ["response_format"]])
})
