/** The plugin `response-healing` repairs whole answers that are almost JSON, and is told where it does nothing. */
import { reply } from "@signalbox/testing"
import { expect, test } from "vitest"
import { decisionMethods } from "../support/decisionMethods.ts"
import { getProperty } from "../support/getProperty.ts"
import { send } from "../support/send.ts"
import { keys, TestServer } from "../support/TestServer.ts"

const chatMethod = decisionMethods.find(({ name }) => /chat/i.test(name)) ?? decisionMethods[0]!

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
    headers: { authorization: `Bearer ${keys.member}`, "content-type": "application/json" }
  })
  const choices = getProperty(answer.body, "choices") as ReadonlyArray<{
    readonly message: { readonly content: string }
  }>
  const expected = content === "same" ? said : content
  expect([answer.status, choices[0]?.message.content]).toEqual([200, expected])
  const names = answer.headers["x-signalbox-ignored"]?.split(", ") ?? []
  // The endpoint lists no formats.
  expect(names.filter((name) => name !== "response_format")).toEqual(told)
})
