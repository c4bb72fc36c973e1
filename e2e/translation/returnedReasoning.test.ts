/** In a loop of tools a model gets its thoughts back in the field where it wants them, or answers 400. */
import { deepinfra, deepseek, fireworks, openai, together, xai } from "@signalbox/openai"
import type { Upstream } from "@signalbox/core/upstream"
import { describe, expect, test } from "vitest"
import { isObject } from "../support/getProperty.ts"
import type { Json } from "../dialects/NativeAnswer.ts"
import { asks, type Inbound } from "./inbound.ts"
import { StrictServer } from "./StrictServer.ts"

type Make = (options: { readonly baseUrl: string; readonly apiKey: string }) => Upstream

const moonshot: Make = (options) => openai({ slug: "moonshotai", ...options })

/** Servers by the field that they want. */
const servers: ReadonlyArray<readonly [name: string, make: Make, model: string]> = [
  ["DeepSeek", deepseek, "deepseek-v4-pro"],
  ["DeepSeek, another model", deepseek, "acme"],
  ["Moonshot", moonshot, "kimi-k2.6"],
  ["Fireworks", fireworks, "accounts/fireworks/models/kimi-k2p6"],
  ["DeepInfra", deepinfra, "deepseek-ai/DeepSeek-V4-Pro"],
  ["a server of one's own", openai, "zai-org/GLM-5"]
]

const listAssistants = ({ messages }: Json): ReadonlyArray<Json> =>
  Array.isArray(messages)
    ? messages.filter(isObject).filter(({ role }) => role === "assistant")
    : []

/** https://api-docs.deepseek.com/guides/thinking_mode, https://github.com/continuedev/continue/issues/11600. */
const refuse = (body: Json): string | undefined => {
  for (const message of listAssistants(body)) {
    if (message["tool_calls"] !== undefined && typeof message["reasoning_content"] !== "string") {
      return "The `reasoning_content` in the thinking mode must be passed back to the API."
    }
    if (message["reasoning"] !== undefined || message["reasoning_details"] !== undefined) {
      return "Extra inputs are not permitted"
    }
  }
  return undefined
}

/** What a client sends behind the answer of a model that thought and called, in the words of each API. */
const histories: Readonly<Record<Inbound["name"], (thought: string | undefined) => Json>> = {
  chat: (thought) => ({
    messages: [
      { role: "user", content: "Is it calm?" },
      {
        role: "assistant",
        content: null,
        ...(thought === undefined
          ? undefined
          : {
              reasoning: thought,
              reasoning_details: [
                { type: "reasoning.text", text: thought, format: "unknown", index: 0 }
              ]
            }),
        tool_calls: [
          { id: "call_1", type: "function", function: { name: "look", arguments: "{}" } }
        ]
      },
      { role: "tool", tool_call_id: "call_1", content: "Calm." }
    ]
  }),
  messages: (thought) => ({
    max_tokens: 1_000,
    messages: [
      { role: "user", content: "Is it calm?" },
      {
        role: "assistant",
        content: [
          ...(thought === undefined
            ? []
            : [{ type: "thinking", thinking: thought, signature: "" }]),
          { type: "tool_use", id: "call_1", name: "look", input: {} }
        ]
      },
      {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "call_1", content: "Calm." }]
      }
    ]
  }),
  responses: (thought) => ({
    input: [
      { role: "user", content: "Is it calm?" },
      ...(thought === undefined
        ? []
        : [
            {
              type: "reasoning",
              id: "rs_1",
              summary: [{ type: "summary_text", text: thought }]
            }
          ]),
      { type: "function_call", call_id: "call_1", name: "look", arguments: "{}" },
      { type: "function_call_output", call_id: "call_1", output: "Calm." }
    ]
  })
}

describe.each(asks)("by the API $name, $form", ({ isStreamed, name, path }) => {
  test.each(servers)("%s gets the thought back", async (_, makeUpstream, model) => {
    await using server = await StrictServer.start({
      providers: [
        { makeUpstream: (url) => makeUpstream({ baseUrl: `${url}/v1`, apiKey: "sk-host" }), model }
      ],
      refuse
    })
    const answer = await server.ask(path, histories[name]("plan"), isStreamed)
    expect(answer.status).toBe(200)
    expect(listAssistants(server.sent)).toMatchObject([{ reasoning_content: "plan" }])
  })

  test.each(servers)("%s gets an empty one for a call without", async (_, makeUpstream, model) => {
    await using server = await StrictServer.start({
      providers: [
        { makeUpstream: (url) => makeUpstream({ baseUrl: `${url}/v1`, apiKey: "sk-host" }), model }
      ],
      refuse
    })
    const answer = await server.ask(path, histories[name](undefined), isStreamed)
    expect(answer.status).toBe(200)
    expect(listAssistants(server.sent)).toMatchObject([{ reasoning_content: "" }])
  })

  test.each([
    ["Together", together, "deepseek-ai/DeepSeek-V4-Pro"],
    ["xAI", xai, "grok-4.3"]
  ] as const)("%s keeps it in `reasoning`", async (_, makeUpstream, model) => {
    await using server = await StrictServer.start({
      providers: [
        { makeUpstream: (url) => makeUpstream({ baseUrl: `${url}/v1`, apiKey: "sk-host" }), model }
      ],
      refuse: (body) =>
        listAssistants(body).some((message) => "reasoning_details" in message)
          ? "Extra inputs are not permitted"
          : undefined
    })
    const answer = await server.ask(path, histories[name]("plan"), isStreamed)
    expect(answer.status).toBe(200)
    expect(listAssistants(server.sent)).toMatchObject([{ reasoning: "plan" }])
  })
})

test("the thought that Claude signed is no thought of DeepSeek's", async () => {
  await using server = await StrictServer.start({
    providers: [
      {
        makeUpstream: (url) => deepseek({ baseUrl: `${url}/v1`, apiKey: "sk-host" }),
        model: "deepseek-v4-pro"
      }
    ],
    refuse
  })
  const { messages } = histories.messages("plan")
  const answer = await server.ask(
    "/messages",
    {
      max_tokens: 1_000,
      messages: JSON.parse(
        JSON.stringify(messages).replace('"signature":""', '"signature":"c2lnbmVk"')
      )
    },
    false
  )
  expect(answer.status).toBe(200)
  expect(listAssistants(server.sent)).toMatchObject([{ reasoning_content: "" }])
  expect(answer.headers["x-signalbox-ignored"]).toBe("reasoning_details")
})
