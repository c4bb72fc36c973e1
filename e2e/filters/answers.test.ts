/** Content filters of guardrails on answers, whole and streamed, by each API from providers of each dialect. */
import { describe, expect, onTestFinished, test } from "vitest"
import { DialectServer, managementKey, memberKey } from "../dialects/DialectServer.ts"
import { inboundApis } from "../dialects/InboundApi.ts"
import type { Json, Saying } from "../dialects/NativeAnswer.ts"
import { providerDialects } from "../dialects/ProviderDialect.ts"
import { sendNative } from "../dialects/sendNative.ts"
import { speak } from "../dialects/speak.ts"
import { send } from "../support/send.ts"

const defaultGuardrail = "ffffffff-0000-4000-8000-000000000000"

const start = async (guardrail: Json, said: ReadonlyArray<Saying>) => {
  const server = await DialectServer.start({
    answer: (request, response, dialect) => sendNative(speak({ said })[dialect], request, response),
    refuses: false
  })
  onTestFinished(() => server[Symbol.asyncDispose]())
  const written = await send(`${server.root}/api/v1/guardrails/${defaultGuardrail}`, {
    method: "PATCH",
    headers: { authorization: `Bearer ${managementKey}`, "content-type": "application/json" },
    body: JSON.stringify(guardrail)
  })
  expect(written.status).toBe(200)
  return server
}

const builtin = (slug: string, action: string, more: Json = {}) => ({
  content_filter_builtins: [{ slug, action, ...more }]
})

/** The address is split over the pieces of the stream. */
const pieces = ["Write", " to al", "ice@exam", "ple.com", " or call", "."]

const pairs = inboundApis.flatMap((api) =>
  providerDialects.flatMap((dialect) =>
    [false, true].map((isStreamed) => ({
      api,
      dialect,
      isStreamed,
      name: `${api.name}, ${dialect}, ${isStreamed ? "streamed" : "whole"}`
    }))
  )
)

describe.each(pairs)("an answer: $name", ({ api, dialect, isStreamed }) => {
  const toBody = (content: string): Json => ({
    model: `proof/${dialect}`,
    [api.capName]: 100,
    ...api.toBody([{ role: "user", content }])
  })

  test("is left alone by default", async () => {
    const server = await start(builtin("email", "redact"), [{ text: pieces }])
    const { content } = await api.ask(server, toBody("Whom may I ask?"), isStreamed)
    expect(content).toBe("Write to alice@example.com or call.")
  })

  test("is redacted where the guardrail says so", async () => {
    const server = await start(builtin("email", "redact", { scope: "answers" }), [{ text: pieces }])
    const { content } = await api.ask(server, toBody("Whom may I ask? a@b.com"), isStreamed)
    expect(content).toBe("Write to [EMAIL] or call.")
    // The request is not looked at.
    expect(JSON.stringify(server.requests.at(-1)?.json)).toContain("a@b.com")
  })

  test("has arguments of calls redacted as valid JSON", async () => {
    const call = { id: "call_1", name: "mail", arguments: ['{"to":"alice@ex', 'ample.com","n":1}'] }
    const server = await start(builtin("email", "redact", { scope: "both" }), [{ call }])
    const { calls } = await api.ask(server, toBody("Mail them."), isStreamed)
    expect(JSON.parse(String(Object(calls)[0].arguments))).toEqual({ to: "[EMAIL]", n: 1 })
  })

  test("gets back what was redacted in the request", async () => {
    const said = [{ text: ["I wrote to [EMA", "IL_2] and [EMAIL", "_1], not [EMAIL_3]."] }]
    const server = await start(builtin("email", "redact", { restore: true }), said)
    const { content } = await api.ask(
      server,
      toBody("Write to a@x.com and b@x.com and a@x.com."),
      isStreamed
    )
    expect(content).toBe("I wrote to b@x.com and a@x.com, not [EMAIL_3].")
    expect(JSON.stringify(server.requests.at(-1)?.json)).toContain(
      "Write to [EMAIL_1] and [EMAIL_2] and [EMAIL_1]."
    )
  })
})

describe.each(inboundApis)("a blocked answer by the API $name", (api) => {
  const body: Json = {
    model: "proof/chat",
    [api.capName]: 100,
    ...api.toBody([{ role: "user", content: "Whom may I ask?" }])
  }

  test("is a 403 as a whole", async () => {
    const server = await start(builtin("email", "block", { scope: "answers" }), [{ text: pieces }])
    expect(await api.ask(server, body, false)).toMatchObject({
      content: "",
      error: {
        code: 403,
        message: expect.stringContaining("Answer blocked by content filter: [EMAIL]")
      }
    })
  })

  test("ends before the match when it is streamed", async () => {
    const server = await start(builtin("email", "block", { scope: "answers" }), [{ text: pieces }])
    const answer = await send(
      `${server.root}/api/v1${{ chat: "/chat/completions", messages: "/messages", responses: "/responses" }[api.name]}`,
      {
        headers: { authorization: `Bearer ${memberKey}`, "content-type": "application/json" },
        body: JSON.stringify({ ...body, stream: true })
      }
    )
    expect(answer.text).toContain("Write")
    expect(answer.text).not.toMatch(/ice@|exam|ple\.com/)
    expect(answer.text).toMatch(/content_filter|refusal/)
  })
})
