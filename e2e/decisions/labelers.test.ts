/** Who may label what, how much one labeler can change, and what is recorded of it, over HTTP. */
import type { Upstream } from "@signalbox/core/upstream"
import { Signalbox } from "@signalbox/node"
import * as Effect from "effect/Effect"
import { describe, expect, test } from "vitest"
import { getProperty } from "../support/getProperty.ts"
import { keys } from "../support/TestServer.ts"

const upstream: Upstream = {
  slug: "one",
  name: "One",
  decisions: {
    decide: ({ questions }) =>
      Effect.succeed({
        verdicts: new Map(Object.keys(questions).map((name) => [name, { weights: [0.98, 0.02] }])),
        usage: { inputTokens: 1, outputTokens: 1 },
        method: "logprobs"
      }),
    estimateWorstCase: () => ({ inputTokens: 1, outputTokens: 1 })
  }
}

const colleague = "sk-proof-colleague"
const organization = "sk-proof-organization"
/** The application knows its users, who have no keys. */
const sessionUser = "session:ann"

const start = async () => {
  const instance = await Signalbox.make({
    upstreams: [upstream],
    models: [{ id: "proof/one", endpoints: [{ provider: "one", price: {} }] }],
    keys: [
      { key: keys.member, kind: "member", user: "mem-1" },
      { key: "sk-proof-second", kind: "member", user: "mem-1" },
      { key: colleague, kind: "member", user: "mem-2" },
      { key: organization, kind: "organization" },
      { key: keys.management, kind: "management" }
    ],
    authenticate: ({ headers }) => {
      const session = headers["x-session"]
      return session === undefined ? undefined : { user: session }
    }
  })
  const ask = async (method: string, path: string, key: string, body?: unknown) => {
    const response = await instance.fetch(
      new Request(`http://signalbox.invalid/api${path}`, {
        method,
        headers: {
          ...(key.startsWith("session:")
            ? { "x-session": key.slice("session:".length) }
            : { authorization: `Bearer ${key}` }),
          "content-type": "application/json"
        },
        ...(body === undefined ? undefined : { body: JSON.stringify(body) })
      })
    )
    return { status: response.status, body: await response.json() }
  }
  const decide = async (key: string) => {
    const { body, status } = await ask("POST", "/alpha/decisions", key, {
      model: "proof/one",
      state: "x",
      questions: { urgent: { type: "noul", instructions: "Is it urgent?" } },
      calibration: { mode: "auto" }
    })
    expect(status).toBe(200)
    const noul = Number(getProperty(getProperty(getProperty(body, "answers"), "urgent"), "noul"))
    return { id: getProperty(body, "id"), noul }
  }
  const label = (id: unknown, key: string, urgent: boolean, changes: object = {}) =>
    ask("POST", "/v1/signalbox/calibration/samples", key, {
      generation_id: id,
      labels: { urgent },
      ...changes
    })
  const refit = () => ask("POST", "/v1/signalbox/calibration", keys.management)
  const listAudit = async () => {
    const { body } = await ask("GET", "/v1/signalbox/audit?limit=100", keys.management)
    return getProperty(body, "data")
  }
  return { instance, ask, decide, label, refit, listAudit, close: () => instance.close() }
}

describe("a label", () => {
  test("is given by the caller that asked, or by those who manage the account", async () => {
    const { close, decide, instance, label } = await start()
    for (const [asker, others] of [
      [keys.member, [colleague, organization, sessionUser]],
      [organization, [keys.member, colleague, sessionUser]],
      [sessionUser, [keys.member, organization, "session:bob"]]
    ] as const) {
      const { id } = await decide(asker)
      for (const other of others) {
        const refused = await label(id, other, true)
        expect([asker, other, refused.status]).toEqual([asker, other, 403])
        expect(JSON.stringify(refused.body)).toContain("another caller")
      }
      expect((await label(id, asker, true)).status).toBe(200)
      expect((await label(id, keys.management, true)).status).toBe(200)
    }
    const { id } = await decide(keys.member)
    expect((await label(id, "sk-proof-second", true)).status).toBe(200)
    // The application itself, in process.
    expect(
      (await instance.label({ generation_id: String(id), labels: { urgent: true }, weight: 9 }))
        .data
    ).toMatchObject({ labeled: 1 })
    await close()
  })

  test("weighs more than one only for those who manage the account", async () => {
    const { close, decide, label, refit } = await start()
    for (let at = 0; at < 30; at++) {
      await label((await decide(keys.member)).id, keys.management, true)
    }
    await refit()
    const before = (await decide(keys.member)).noul
    for (let at = 0; at < 20; at++) {
      const { id } = await decide(colleague)
      const refused = await label(id, colleague, false, { weight: 1_000_000 })
      expect(refused.status).toBe(403)
      expect(JSON.stringify(refused.body)).toContain("weight above 1")
      expect((await label(id, colleague, true, { weight: 1 })).status).toBe(200)
    }
    await refit()
    expect((await decide(keys.member)).noul).toBeCloseTo(before, 1)
    const { id } = await decide(colleague)
    expect((await label(id, keys.management, true, { weight: 1_000_000 })).status).toBe(200)
    await close()
  })

  test("of one member never weighs more than all others, and the report says whose it is", async () => {
    const { ask, close, decide, label, refit } = await start()
    for (let at = 0; at < 100; at++) {
      await label((await decide(keys.member)).id, keys.management, at % 30 !== 0)
    }
    for (let at = 0; at < 400; at++) await label((await decide(colleague)).id, colleague, false)
    await refit()
    const { noul } = await decide(keys.member)
    // 96 of 100 are right, and 400 of a member count as 100.
    expect(noul).toBeGreaterThan(0.4)
    const { body } = await ask("GET", "/v1/signalbox/calibration?kind=noul", keys.management)
    expect(body).toMatchObject({
      data: {
        maps: [
          { question: null },
          {
            labeled_by: expect.arrayContaining([
              {
                user: "mem-2",
                key: expect.stringMatching(/^[0-9a-f]{64}$/),
                manager: false,
                samples: 400,
                share: expect.closeTo(0.5, 6)
              },
              {
                user: null,
                key: expect.stringMatching(/^[0-9a-f]{64}$/),
                manager: true,
                samples: 100,
                share: expect.closeTo(0.5, 6)
              }
            ])
          }
        ]
      }
    })
    await close()
  })

  test("of many, and that all are deleted, is in the audit log", async () => {
    const { ask, close, decide, label, listAudit } = await start()
    for (let at = 0; at < 12; at++) await label((await decide(colleague)).id, colleague, true)
    const deleted = await ask("DELETE", "/v1/signalbox/calibration", keys.management)
    expect(deleted.body).toEqual({ data: { deleted: 12 } })
    const entries = await listAudit()
    expect(entries).toEqual([
      expect.objectContaining({
        action: "calibration.forget",
        target: "default",
        before: { labels: 12 }
      }),
      expect.objectContaining({
        action: "calibration.label",
        after: { decisions: 10, answers: 10, weight: 1 }
      }),
      expect.objectContaining({
        action: "calibration.label",
        after: { decisions: 1, answers: 1, weight: 1 }
      })
    ])
    await close()
  })
})
