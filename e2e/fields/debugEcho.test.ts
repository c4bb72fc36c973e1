/** With `debug.echo_upstream_body` the first chunk of a stream shows the request that its provider got. */
import { describe, expect, test } from "vitest"
import { DialectServer, memberKey } from "../dialects/DialectServer.ts"
import { providerDialects } from "../dialects/ProviderDialect.ts"
import { sendNative } from "../dialects/sendNative.ts"
import { speak } from "../dialects/speak.ts"
import { parseChatEvents } from "../support/parseChatEvents.ts"
import { send } from "../support/send.ts"
import { chatApis } from "./chatApis.ts"

const answers = speak({ said: [{ text: ["Calm."] }] })

const start = () =>
  DialectServer.start({
    answer: (request, response, dialect) => sendNative(answers[dialect], request, response)
  })

const ask = ({ root }: DialectServer, path: string, body: object) =>
  send(`${root}${path}`, {
    body: JSON.stringify(body),
    headers: { authorization: `Bearer ${memberKey}`, "content-type": "application/json" }
  })

const debug = { echo_upstream_body: true }
const [chat, ...others] = chatApis

describe.each([...providerDialects, "openrouter"])("at a provider of %s", (provider) => {
  test("a stream of chunks shows it", async () => {
    await using server = await start()
    const body = {
      model: `proof/${provider}`,
      // Repeats the host's key, as an answer or a prompt may.
      messages: [{ role: "user", content: `Is it calm? sk-host-${provider}-7f3a90` }],
      stream: true,
      debug: { ...debug, other: true }
    }
    const answer = await ask(server, chat.path, body)
    expect([answer.status, answer.headers["x-signalbox-ignored"]]).toEqual([200, "debug.other"])
    const [first, ...rest] = parseChatEvents(answer.text).chunks as ReadonlyArray<object>
    const sent = JSON.stringify(server.requests[0]?.json)
    expect(first).toMatchObject({ object: "chat.completion.chunk", choices: [] })
    expect(first).toHaveProperty(
      "debug.echo_upstream_body",
      JSON.parse(sent.replaceAll(`sk-host-${provider}-7f3a90`, "[redacted]"))
    )
    expect(rest.some((chunk) => "debug" in chunk)).toBe(false)
    expect(JSON.stringify(rest)).toContain("Calm.")
  })
})

test("a whole answer tells that it does not", async () => {
  await using server = await start()
  const answer = await ask(server, chat.path, { ...chat.base, model: "proof/chat", debug })
  expect(answer.headers["x-signalbox-ignored"]).toBe("debug")
  expect(answer.text).not.toContain("echo_upstream_body")
})

test.each(others)("streams of $name tell that they do not", async ({ base, path }) => {
  await using server = await start()
  const answer = await ask(server, path, { ...base, model: "proof/chat", debug, stream: true })
  expect([answer.status, answer.headers["x-signalbox-ignored"]]).toEqual([200, "debug"])
  expect(answer.text).not.toContain("echo_upstream_body")
})
