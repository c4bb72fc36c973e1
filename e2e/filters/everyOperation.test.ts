/** Content filters hold for every operation, from guardrails of workspaces, keys, members and bundles. */
import { reply } from "@signalbox/testing"
import { describe, expect, test } from "vitest"
import { pickSample } from "../../vitest.scope.ts"
import { pickHosts } from "../support/pickHosts.ts"
import { defaultGuardrail, operations, startFilterServer } from "./startFilterServer.ts"

const mail = "alice@example.com"
const card = "4111 1111 1111 1111"

/** The workspace flags, the key redacts, and the member blocks one kind of content. */
const start = async (options: Parameters<typeof startFilterServer>[0]) => {
  const server = await startFilterServer(options)
  const { guardrails, keys } = server.instance
  await guardrails.update({
    id: defaultGuardrail,
    content_filter_builtins: [
      { slug: "email", action: "flag" },
      { slug: "credit-card", action: "redact" },
      { slug: "ip-address", action: "flag" }
    ]
  })
  const { data: ofKey } = await guardrails.create({
    name: "key",
    content_filter_builtins: [{ slug: "email", action: "redact" }],
    content_filters: [{ pattern: "EMP-\\d{5}", action: "redact", label: "EMPLOYEE" }]
  })
  const { data: ofMember } = await guardrails.create({
    name: "member",
    content_filter_builtins: [
      { slug: "email", action: "flag" },
      { slug: "credit-card", action: "block" }
    ]
  })
  const { data, key } = await keys.create({ name: "filtered", creator_user_id: "mem-1" })
  await guardrails.assignKeys({ id: ofKey.id, key_hashes: [data.hash] })
  await guardrails.assignMembers({ id: ofMember.id, member_user_ids: ["mem-1"] })
  return { ...server, key, ofKey: ofKey.id, ofMember: ofMember.id }
}

describe.each(pickHosts(import.meta.filename))("against $name", (host) => {
  test.each(operations)(
    "$name are redacted by the strongest of several guardrails, and the record says where",
    async (operation) => {
      const { ask, key, ofKey, provider, records } = await start({ host })
      const answer = await ask(operation, `Ask ${mail}, EMP-12345 or 10.1.2.3`, key)
      expect(answer.status).toBeLessThan(300)
      await expect.poll(() => records.length).toBeGreaterThan(0)
      const sent = provider.requests.map(({ raw }) => raw).join()
      expect(sent).toContain("Ask [EMAIL], [EMPLOYEE] or 10.1.2.3")
      expect(sent).not.toMatch(/alice|EMP-12345/)
      const place = { path: operation.place, count: 1 }
      expect(records[0]?.filters).toEqual([
        { guardrail: ofKey, filter: "email", action: "redact", ...place },
        { guardrail: defaultGuardrail, filter: "ip-address", action: "flag", ...place },
        { guardrail: ofKey, filter: "custom", action: "redact", ...place }
      ])
      expect(JSON.stringify(records)).not.toMatch(/alice|EMP-12345/)
    }
  )

  test.each(pickSample(operations, 5))(
    "$name are blocked before any provider, and the record says why",
    async (operation) => {
      const { ask, key, ofMember, provider, records } = await start({ host })
      const answer = await ask(operation, `Charge ${card} of ${mail}`, key)
      const message = "Request blocked by content filter: [CREDIT_CARD]"
      expect(answer).toMatchObject({
        status: 403,
        body:
          operation.name === "messages"
            ? { type: "error", error: { type: "permission_error", message } }
            : { error: { code: 403, message } }
      })
      expect(answer.body).toMatchObject({
        openrouter_metadata: {
          pipeline: expect.arrayContaining([
            {
              type: "guardrail",
              name: "content-filter",
              guardrail_id: ofMember,
              guardrail_scope: "member",
              summary: "Blocked 1 match",
              data: {
                action: "block",
                matches: [
                  { filter: "credit-card", action: "block", path: operation.place, count: 1 }
                ]
              }
            }
          ])
        }
      })
      expect(provider.requests).toEqual([])
      await expect.poll(() => records).toHaveLength(1)
      expect(records[0]).toMatchObject({ error: "ContentBlocked", attempts: [] })
      expect(answer.text + JSON.stringify(records)).not.toMatch(/4111 1111|alice/)
    }
  )

  test.each(operations)(
    "the question of a check of $name has the user, session and id of the request",
    async (operation) => {
      const { ask, instance, records } = await startFilterServer({
        host,
        contentChecks: {
          own: { question: "Is it rude?", model: "proof/chat", budget: { daily: 1 } }
        }
      })
      await instance.guardrails.update({
        id: defaultGuardrail,
        content_filter_checks: [{ check: "own", action: "flag", label: null }]
      })
      const toBody = (text: string) => {
        const body = operation.toBody(text)
        if (!(body instanceof FormData)) return { ...body, user: "ada", session_id: "s-1" }
        body.set("user", "ada")
        body.set("session_id", "s-1")
        return body
      }
      const answer = await ask({ ...operation, toBody }, "Hello.")
      expect(answer.status).toBeLessThan(300)
      await expect.poll(() => records.length).toBeGreaterThan(1)
      const asked = records.filter(
        ({ trace }) => trace?.["generation_name"] === "content check own"
      )
      expect(asked.length).toBeGreaterThan(0)
      for (const each of asked) {
        expect(each).toMatchObject({ externalUser: "ada", session: "s-1" })
        expect(each.requestId).toBe(answer.headers["x-request-id"])
      }
    }
  )

  test.each(pickSample(operations, 4))(
    "$name of a customer are redacted by its bundle",
    async (operation) => {
      const { ask, instance, provider, records } = await startFilterServer({
        host,
        bundles: {
          starter: { guardrail: { content_filter_builtins: [{ slug: "email", action: "redact" }] } }
        }
      })
      const { key } = await instance.customers.create({ slug: "acme", bundle: "starter" })
      const answer = await ask(operation, `Ask ${mail}`, String(key))
      expect(answer.status).toBeLessThan(300)
      await expect.poll(() => records.length).toBeGreaterThan(0)
      const sent = provider.requests.map(({ raw }) => raw).join()
      expect(sent).toContain("Ask [EMAIL]")
      expect(sent).not.toContain("alice")
      expect(records[0]?.filters).toMatchObject([{ filter: "email", action: "redact" }])
    }
  )
})

test("conversations of the application are redacted in every part, and get contents back", async () => {
  const { instance, provider } = await startFilterServer()
  await instance.guardrails.update({
    id: defaultGuardrail,
    content_filter_builtins: [{ slug: "email", action: "redact", restore: true }]
  })
  provider
    .when(({ path }) => path.startsWith("/v1/chat"))
    .always(reply.chat("I wrote to [EMAIL_1] and [EMAIL_2], not to [EMAIL_3]."))
  const conversation = {
    tools: [],
    sampling: {},
    stop: [],
    turns: [
      { role: "system", parts: [{ type: "text", text: "You are of boss@example.com." }] },
      { role: "user", parts: [{ type: "text", text: `Write to ${mail}.` }] },
      {
        role: "assistant",
        parts: [{ type: "call", id: "c1", name: "send", arguments: `{"to":"${mail}"}` }]
      },
      {
        role: "tool",
        parts: [
          { type: "result", callId: "c1", content: [{ type: "text", text: `Sent: ${mail}` }] }
        ]
      }
    ]
  } as const
  const { reply: answered } = await instance.answer(conversation, { model: "proof/chat" })
  const sent = provider.requests.at(-1)?.raw ?? ""
  expect(sent).not.toContain("example.com")
  expect(sent).toContain("You are of [EMAIL_1]")
  expect(sent).toContain("Sent: [EMAIL_2]")
  expect(answered.choices[0]?.answer.parts).toMatchObject([
    { type: "text", text: `I wrote to boss@example.com and ${mail}, not to [EMAIL_3].` }
  ])
  const pieces: Array<unknown> = []
  for await (const piece of instance.streamAnswer(conversation, { model: "proof/chat" })) {
    pieces.push(piece)
  }
  expect(JSON.stringify(pieces)).toMatch(/boss@example\.com.*alice@example\.com.*\[EMAIL_3\]/)
})
