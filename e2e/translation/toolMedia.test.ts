/** A picture or a file in the result of a tool reaches a server whose results are text alone. */
import { azureOpenai, openai } from "@signalbox/openai"
import { describe, expect, test } from "vitest"
import type { Json } from "../dialects/NativeAnswer.ts"
import { isObject } from "../support/getProperty.ts"
import { asks, type Inbound } from "./inbound.ts"
import { type StrictProvider, StrictServer } from "./StrictServer.ts"

const png = "iVBORw0KGgo="
const pdf = "JVBERi0xLjQK"

const own: StrictProvider = {
  makeUpstream: (url) => openai({ baseUrl: `${url}/v1`, apiKey: "sk-host" }),
  model: "acme"
}

const toMessages = ({ messages }: Json): ReadonlyArray<Json> =>
  Array.isArray(messages) ? messages.filter(isObject) : []

/** https://github.com/OpenHands/OpenHands/issues/7700. */
const refuse = (body: Json): string | undefined => {
  const messages = toMessages(body)
  for (const [index, { content, role }] of messages.entries()) {
    if (role !== "tool") continue
    const parts: ReadonlyArray<unknown> = Array.isArray(content)
      ? content
      : [{ type: "text", text: content }]
    if (!parts.every((part) => isObject(part) && part["type"] === "text")) {
      return `Invalid 'messages[${index}]'. Image URLs are only allowed for messages with role 'user', but this message with role 'tool' contains an image URL.`
    }
    if (parts.every((part) => isObject(part) && part["text"] === "")) {
      return `messages[${index}].content must not be empty`
    }
  }
  return undefined
}

/** Two calls, and their results in the words of each API. */
const histories: Readonly<
  Record<Exclude<Inbound["name"], "chat">, (...results: ReadonlyArray<ReadonlyArray<Json>>) => Json>
> = {
  messages: (...results) => ({
    max_tokens: 1_000,
    messages: [
      { role: "user", content: "Look." },
      {
        role: "assistant",
        content: results.map((_, at) => ({
          type: "tool_use",
          id: `c${at}`,
          name: "look",
          input: {}
        }))
      },
      {
        role: "user",
        content: results.map((content, at) => ({
          type: "tool_result",
          tool_use_id: `c${at}`,
          content
        }))
      },
      { role: "user", content: "So?" }
    ]
  }),
  responses: (...results) => ({
    input: [
      { role: "user", content: "Look." },
      ...results.map((_, at) => ({
        type: "function_call",
        call_id: `c${at}`,
        name: "look",
        arguments: "{}"
      })),
      ...results.map((output, at) => ({ type: "function_call_output", call_id: `c${at}`, output })),
      { role: "user", content: "So?" }
    ]
  })
}

const parts = {
  messages: {
    text: (text: string) => ({ type: "text", text }),
    image: { type: "image", source: { type: "base64", media_type: "image/png", data: png } },
    file: {
      type: "document",
      title: "a.pdf",
      source: { type: "base64", media_type: "application/pdf", data: pdf }
    }
  },
  responses: {
    text: (text: string) => ({ type: "input_text", text }),
    image: { type: "input_image", image_url: `data:image/png;base64,${png}`, detail: "auto" },
    file: {
      type: "input_file",
      filename: "a.pdf",
      file_data: `data:application/pdf;base64,${pdf}`
    }
  }
}

const sentImage = { type: "image_url", image_url: { url: `data:image/png;base64,${png}` } }
const sentFile = {
  type: "file",
  file: { filename: "a.pdf", file_data: `data:application/pdf;base64,${pdf}` }
}

const translated = asks.flatMap(({ name, ...rest }) => (name === "chat" ? [] : [{ name, ...rest }]))

describe.each(translated)("by the API $name, $form", ({ isStreamed, name, path }) => {
  test("it stands in a message of the user behind all results", async () => {
    const { file, image, text } = parts[name]
    await using server = await StrictServer.start({ providers: [own], refuse })
    const body = histories[name]([text("seen"), image], [file], [text("nothing")])
    const answer = await server.ask(path, body, isStreamed)
    expect(answer.status).toBe(200)
    const messages = toMessages(server.sent)
    expect(messages.map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "tool",
      "tool",
      "tool",
      "user",
      "user"
    ])
    expect(messages.slice(2, 6).map(({ content }) => content)).toMatchObject([
      "seen",
      expect.stringContaining("next message"),
      "nothing",
      [sentImage, sentFile]
    ])
  })

  test("it stays where the host says that the server takes it", async () => {
    const { image, text } = parts[name]
    await using server = await StrictServer.start({
      providers: [
        {
          ...own,
          makeUpstream: (url) =>
            openai({ baseUrl: `${url}/v1`, apiKey: "sk-host", takesToolMedia: true })
        }
      ],
      refuse: () => undefined
    })
    await server.ask(path, histories[name]([text("seen"), image]), isStreamed)
    expect(toMessages(server.sent)[2]?.["content"]).toMatchObject([{ text: "seen" }, sentImage])
  })
})

test("a chat that puts a picture there itself reaches Azure, which is known to refuse it", async () => {
  await using server = await StrictServer.start({
    providers: [
      {
        makeUpstream: (url) => azureOpenai({ baseUrl: `${url}/openai/v1`, apiKey: "sk-host" }),
        model: "gpt-4.1"
      }
    ],
    refuse
  })
  const answer = await server.ask(
    "/chat/completions",
    {
      messages: [
        { role: "user", content: "Look." },
        {
          role: "assistant",
          content: null,
          tool_calls: [{ id: "c", type: "function", function: { name: "look", arguments: "{}" } }]
        },
        { role: "tool", tool_call_id: "c", content: [{ type: "text", text: "seen" }, sentImage] }
      ]
    },
    false
  )
  expect(answer.status).toBe(200)
  expect(toMessages(server.sent).slice(2)).toMatchObject([
    { role: "tool", content: "seen" },
    { role: "user", content: [sentImage] }
  ])
})

describe.each(asks.filter(({ name }) => name === "messages"))("$form", ({ isStreamed, path }) => {
  test("a found tool is named in the result of the search", async () => {
    await using server = await StrictServer.start({ providers: [own], refuse })
    const answer = await server.ask(
      path,
      histories.messages([
        { type: "tool_reference", tool_name: "look_up" },
        { type: "tool_reference", tool_name: "weigh" }
      ]),
      isStreamed
    )
    expect(answer.status).toBe(200)
    const { content } = toMessages(server.sent)[2] ?? {}
    expect(JSON.stringify(content)).toMatch(/look_up.*weigh/)
  })
})
