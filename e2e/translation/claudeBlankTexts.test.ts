/** Texts of white space alone do not end a conversation with Claude, which refuses them wherever they stand. */
import { anthropic } from "@signalbox/anthropic"
import { describe, expect, test } from "vitest"
import type { Json } from "../dialects/NativeAnswer.ts"
import { refuseBlankTexts, refusePrefill } from "./claudeRefusals.ts"
import { asks, listIgnored } from "./inbound.ts"
import { StrictServer } from "./StrictServer.ts"

const text = (said: string): Json => ({ type: "text", text: said })
const call: Json = {
  id: "call_1",
  type: "function",
  function: { name: "look", arguments: '{"at":1}' }
}
const result = (content: unknown): Json => ({ role: "tool", tool_call_id: "call_1", content })
const hi: Json = { role: "user", content: "Hi." }
const hello: Json = { role: "assistant", content: "Hello." }

interface BlankCase {
  readonly name: string
  readonly messages: ReadonlyArray<Json>
  /** The texts that Claude gets, by the role of their message. */
  readonly said: ReadonlyArray<string>
}

const cases: ReadonlyArray<BlankCase> = [
  {
    name: "beside a call",
    messages: [
      hi,
      { role: "assistant", content: "\n\n", tool_calls: [call] },
      result("Calm."),
      { role: "user", content: "And now?" }
    ],
    said: ["user: Hi.", "user: And now?"]
  },
  {
    name: "as a turn of the assistant",
    messages: [
      hi,
      { role: "assistant", content: " \n" },
      { role: "user", content: "Still there?" }
    ],
    said: ["user: Hi.", "user: Still there?"]
  },
  {
    name: "as the only turn of the user",
    messages: [{ role: "user", content: " " }],
    said: ["user: (empty)"]
  },
  {
    name: "as the last turn of the user, which is no wish to continue the answer",
    messages: [hi, hello, { role: "user", content: "\t" }],
    said: ["user: Hi.", "assistant: Hello.", "user: (empty)"]
  },
  {
    name: "as the first turn of the user",
    messages: [{ role: "user", content: "\u00a0" }, hello, { role: "user", content: "Well?" }],
    said: ["user: (empty)", "assistant: Hello.", "user: Well?"]
  },
  {
    name: "as a turn of the user beside another",
    messages: [{ role: "user", content: "  " }, hi],
    said: ["user: Hi."]
  },
  {
    name: "as the instructions",
    messages: [{ role: "system", content: "  \n" }, hi],
    said: ["user: Hi."]
  },
  {
    name: "as instructions beside others",
    messages: [{ role: "system", content: "Be brief." }, { role: "system", content: " " }, hi],
    said: ["system: Be brief.", "user: Hi."]
  },
  {
    name: "as a part beside another text",
    messages: [{ role: "user", content: [text("Hi."), text(" \r\n "), text("There?")] }],
    said: ["user: Hi.", "user: There?"]
  },
  {
    name: "in the result of a call",
    messages: [
      hi,
      { role: "assistant", content: null, tool_calls: [call] },
      result([text(" "), text("Calm.")])
    ],
    said: ["user: Hi."]
  },
  {
    name: "as the result of a call",
    messages: [hi, { role: "assistant", content: null, tool_calls: [call] }, result(" ")],
    said: ["user: Hi."]
  },
  {
    name: "as the last turn of the assistant",
    messages: [hi, { role: "assistant", content: " " }],
    said: ["user: Hi."]
  }
]

const listSaid = ({ messages, system }: Json): ReadonlyArray<string> =>
  [{ role: "system", content: system }, ...(Array.isArray(messages) ? messages : [])].flatMap(
    ({ content, role }) => {
      const blocks = typeof content === "string" ? [text(content)] : (content ?? [])
      return (Array.isArray(blocks) ? blocks : []).flatMap((block: Json) =>
        block["type"] === "text" ? [`${role}: ${String(block["text"])}`] : []
      )
    }
  )

describe.each(asks)(
  "white space alone, by the API $name, $form",
  ({ isStreamed, path, toBody }) => {
    test.each(cases)("$name", async ({ messages, said }) => {
      await using server = await StrictServer.start({
        providers: [
          {
            makeUpstream: (url) => anthropic({ baseUrl: url, apiKey: "sk-host" }),
            model: "claude-opus-4-6"
          }
        ],
        refuse: (body) => refuseBlankTexts(body) ?? refusePrefill(body)
      })
      const answer = await server.ask(path, toBody(messages), isStreamed)
      expect([answer.status, answer.text]).toEqual([200, expect.stringContaining("All is calm.")])
      expect(server.requests).toHaveLength(1)
      expect(listSaid(server.sent)).toEqual(said)
      expect(listIgnored(answer)).toContainEqual(expect.stringMatching(/^(?:messages|system)/))
      const record = await server.findRecord(answer)
      expect(record?.attempts[0]?.dropped).toContainEqual(
        expect.stringMatching(/^(?:messages|system)/)
      )
    })

    test("text without white space alone is sent as it was said", async () => {
      await using server = await StrictServer.start({
        providers: [
          {
            makeUpstream: (url) => anthropic({ baseUrl: url, apiKey: "sk-host" }),
            model: "claude-opus-4-6"
          }
        ],
        refuse: refuseBlankTexts
      })
      const answer = await server.ask(
        path,
        toBody([{ role: "user", content: " Hi.\n" }]),
        isStreamed
      )
      expect(answer.status).toBe(200)
      expect(listSaid(server.sent)).toEqual(["user:  Hi.\n"])
      expect(listIgnored(answer)).toEqual([])
    })
  }
)

test("Messages say which block of theirs was left out", async () => {
  await using server = await StrictServer.start({
    providers: [
      {
        makeUpstream: (url) => anthropic({ baseUrl: url, apiKey: "sk-host" }),
        model: "claude-opus-4-6"
      }
    ],
    refuse: refuseBlankTexts
  })
  const mark = { type: "ephemeral" }
  const answer = await server.ask(
    "/messages",
    {
      max_tokens: 100,
      system: [text("Be brief."), { ...text(" "), cache_control: mark }],
      messages: [{ role: "user", content: [text("Hi."), text("  ")] }]
    },
    false
  )
  expect(listIgnored(answer)).toEqual(["system.1", "messages.0.content.1"])
  // The end of the cached prefix is marked where it still stands.
  expect(server.sent["system"]).toEqual([{ ...text("Be brief."), cache_control: mark }])
})
