/** The plugin `response-healing` repairs whole answers that are almost JSON, and is told where it does nothing. */
import { reply } from "@signalbox/testing"
import { describe, expect, test } from "vitest"
import { DialectServer, memberKey } from "../dialects/DialectServer.ts"
import { providerDialects } from "../dialects/ProviderDialect.ts"
import { sendNative } from "../dialects/sendNative.ts"
import { speak } from "../dialects/speak.ts"
import { decisionMethods } from "../support/decisionMethods.ts"
import { getProperty } from "../support/getProperty.ts"
import { send } from "../support/send.ts"
import { keys, TestServer } from "../support/TestServer.ts"

const chatMethod = decisionMethods.find(({ path }) => path.includes("/chat/"))!

const say = (content: string) =>
  reply.json({
    id: "c",
    choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
    usage: { prompt_tokens: 1, completion_tokens: 9 }
  })

const plugins = [{ id: "response-healing" }]
const response_format = { type: "json_object" }

test.each([
  { more: { plugins, response_format }, content: '{"calm":true}', told: [] },
  {
    more: { plugins: [{ ...plugins[0], enabled: false }], response_format },
    content: "same",
    told: []
  },
  { more: { plugins }, content: "same", told: ["plugins"] },
  {
    more: { plugins: [...plugins, { id: "web" }], response_format },
    content: '{"calm":true}',
    told: ["plugins.1"]
  }
])("$more", async ({ content, more, told }) => {
  const said = "```json\n{calm: true,}\n```"
  await using server = await TestServer.start({ method: chatMethod })
  server.upstreams.first.always(say(said))
  const answer = await send(`${server.root}/api/v1/chat/completions`, {
    body: JSON.stringify({
      model: "proof/model",
      messages: [{ role: "user", content: "hi" }],
      provider: { only: ["first"] },
      ...more
    }),
    headers: {
      authorization: `Bearer ${keys.member}`,
      "content-type": "application/json",
      "x-openrouter-metadata": "enabled"
    }
  })
  const metadata = getProperty(answer.body, "openrouter_metadata")
  const stages = getProperty(metadata, "pipeline") as ReadonlyArray<unknown> | undefined
  expect(stages?.map((stage) => [getProperty(stage, "type"), getProperty(stage, "name")])).toEqual(
    content === "same" ? undefined : [["response_healing", "response-healing"]]
  )
  const choices = getProperty(answer.body, "choices") as ReadonlyArray<{
    readonly message: { readonly content: string }
  }>
  const expected = content === "same" ? said : content
  expect([answer.status, choices[0]?.message.content]).toEqual([200, expected])
  const names = answer.headers["x-signalbox-ignored"]?.split(", ") ?? []
  // The endpoint lists no formats.
  expect(names.filter((name) => name !== "response_format")).toEqual(told)
})

describe.each([
  {
    name: "Messages",
    path: "/api/v1/messages",
    asked: {
      messages: [{ role: "user", content: "hi" }],
      max_tokens: 900,
      output_config: { format: { type: "json_schema", schema: { type: "object" } } }
    },
    find: (body: unknown) => findText(body, "content", "text")
  },
  {
    name: "Responses",
    path: "/api/v1/responses",
    asked: {
      input: "hi",
      text: { format: { type: "json_schema", name: "a", schema: { type: "object" } } }
    },
    find: (body: unknown) =>
      findText(
        (getProperty(body, "output") as ReadonlyArray<{ readonly type: string }>).find(
          ({ type }) => type === "message"
        ),
        "content",
        "output_text"
      )
  }
])("whole answers of $name", ({ asked, find, path }) => {
  const answers = speak({ said: [{ text: ["```json\n{calm: ", "true,}\n```"] }] })

  test.each(providerDialects)("at a provider of %s", async (dialect) => {
    await using server = await DialectServer.start({
      answer: (request, response) => sendNative(answers[dialect], request, response)
    })
    const ask = (more: object) =>
      send(`${server.root}${path}`, {
        body: JSON.stringify({ ...asked, model: `proof/${dialect}`, ...more }),
        headers: { authorization: `Bearer ${memberKey}`, "content-type": "application/json" }
      })
    const plain = await ask({})
    expect(find(plain.body)).toContain("{calm: true,}")
    const healed = await ask({ plugins })
    expect([healed.status, find(healed.body)]).toEqual([200, '{"calm":true}'])
    expect(healed.headers["x-signalbox-ignored"]).toBe(plain.headers["x-signalbox-ignored"])
    const streamed = await ask({ plugins, stream: true })
    expect(streamed.headers["x-signalbox-ignored"]?.split(", ")).toContain("plugins")
    const unformed = await ask({ plugins, output_config: undefined, text: undefined })
    expect(find(unformed.body)).toContain("{calm: true,}")
    expect(unformed.headers["x-signalbox-ignored"]).toBe("plugins")
  })
})

/** All texts of a list, one after the other. */
const findText = (holder: unknown, name: string, type: string): string =>
  (getProperty(holder, name) as ReadonlyArray<{ readonly type: string; readonly text: string }>)
    .filter((part) => part.type === type)
    .map(({ text }) => text)
    .join("")
