/** Content checks that ask a model: threshold, calibration, budget, records, and what is asked at all. */
import { Signalbox } from "@signalbox/node"
import * as Effect from "effect/Effect"
import { describe, expect, test } from "vitest"
import { defaultGuardrail, jailbreak, keys, startJudge } from "./startJudge.ts"

describe("a question to a model", () => {
  test("counts from its threshold on", async () => {
    const { asked, say, talker } = await startJudge()
    await say("p=0.79")
    expect(talker.requests).toHaveLength(1)
    await expect(say("p=0.80")).rejects.toMatchObject({ status: 403 })
    await expect(say("p=0.99")).rejects.toThrow(/Request blocked by content filter: JAILBREAK/)
    expect(talker.requests).toHaveLength(1)
    expect(asked).toEqual(["p=0.79", "p=0.80", "p=0.99"])
  })

  test("replaces all of a text, and leaves other texts alone", async () => {
    const { say, talker } = await startJudge({ action: "redact" })
    await say("p=0.9 obey me", "No.", "p=0.1 please")
    expect(talker.requests.at(-1)?.body).toMatchObject({
      messages: [{ content: "[JAILBREAK]" }, { content: "No." }, { content: "p=0.1 please" }]
    })
  })

  test("is recorded as a Decision of the caller with its cost, and neither record has the text", async () => {
    const { instance, records } = await startJudge({ action: "flag" })
    const response = await instance.fetch(
      new Request("http://signalbox.invalid/api/v1/chat/completions", {
        method: "POST",
        headers: { authorization: `Bearer ${keys.member}`, "content-type": "application/json" },
        body: JSON.stringify({
          model: "proof/chat",
          messages: [{ role: "user", content: "p=0.9 secretly" }]
        })
      })
    )
    expect(response.status).toBe(200)
    await expect.poll(() => records).toHaveLength(2)
    const judged = records.find(({ operation }) => operation === "decisions")
    const chat = records.find(({ operation }) => operation === "chat")
    expect(judged).toMatchObject({
      user: "mem-1",
      model: "proof/judge",
      cost: 0.01,
      trace: { generation_name: "content check jailbreak" },
      requestId: chat?.requestId
    })
    expect(judged?.requestId).toBeDefined()
    expect(chat).toMatchObject({
      cost: 0,
      filters: [{ filter: "jailbreak", action: "flag", path: "messages.0.content", count: 1 }]
    })
    expect(JSON.stringify(records)).not.toContain("secretly")
  })

  test("is calibrated by the labels of the account", async () => {
    const { instance, records, say } = await startJudge({ action: "flag" })
    for (let at = 0; at < 40; at++) await say(`p=0.9 number ${at}`)
    await expect.poll(() => records).toHaveLength(80)
    for (const { id, operation } of records) {
      if (operation === "decisions")
        await instance.label({ generation_id: id, labels: { match: false } })
    }
    await instance.calibration.refit()
    await say("p=0.9 after labels")
    await expect.poll(() => records).toHaveLength(82)
    const last = records.findLast(({ operation }) => operation === "chat")
    expect(last?.filters).toBeUndefined()
    expect(records.find(({ operation }) => operation === "chat")?.filters).toHaveLength(1)
  })

  test("does not ask about the questions of other checks, nor about its own", async () => {
    const { asked, instance } = await startJudge()
    await instance.decide({
      model: "proof/judge",
      state: "p=0.2 outer",
      questions: { is: { type: "noul", instructions: "Is it?" } }
    })
    // Once for the check, and once for the Decision itself.
    expect(asked).toEqual(["p=0.2 outer", "p=0.2 outer"])
  })

  test("is asked about texts of users and tools, those that follow each other as one", async () => {
    const { asked, instance, talker } = await startJudge()
    await instance.chat({
      model: "proof/chat",
      messages: [
        { role: "system", content: "p=0.9 rules" },
        {
          role: "user",
          content: [
            { type: "text", text: "one" },
            { type: "text", text: "two" }
          ]
        },
        {
          role: "assistant",
          content: null,
          tool_calls: [
            { id: "c1", type: "function", function: { name: "look", arguments: '{"q":"p=0.9"}' } }
          ]
        },
        { role: "tool", tool_call_id: "c1", content: "three" }
      ]
    })
    expect(talker.requests).toHaveLength(1)
    expect(asked).toEqual(["one\ntwo", "three"])
  })

  test("is asked about the texts of the roles that the check names", async () => {
    const { asked, instance } = await startJudge({ check: { roles: ["system"] } })
    await instance.chat({
      model: "proof/chat",
      messages: [
        { role: "system", content: "rules" },
        { role: "user", content: "p=0.9" }
      ]
    })
    expect(asked).toEqual(["rules"])
  })

  test("is not asked again about what a conversation said before", async () => {
    const { asked, say } = await startJudge()
    await say("first")
    await say("first", "It is calm.", "second")
    await say("first", "It is calm.", "second", "It is calm.", "third")
    expect(asked).toEqual(["first", "second", "third"])
  })
})

describe("the budget of a check", () => {
  test.each(["pass", "match"] as const)(
    "is never exceeded by requests at once; what it has no room for is a %s",
    async (onBudgetSpent) => {
      const { asked, instance, records, say } = await startJudge({
        check: { budget: { daily: 0.05 }, onBudgetSpent }
      })
      const all = await Promise.allSettled(Array.from({ length: 20 }, (_, at) => say(`text ${at}`)))
      const answered = all.filter(({ status }) => status === "fulfilled")
      expect(answered).toHaveLength(onBudgetSpent === "pass" ? 20 : 5)
      expect(asked).toHaveLength(5)
      await expect.poll(() => records).toHaveLength(40)
      const spent = records.reduce((sum, { cost = 0 }) => sum + Math.round(cost * 1e9), 0)
      expect(spent).toBe(50_000_000)
      const exceeded = records.filter((record) => record.exceeded !== undefined)
      expect(exceeded).toHaveLength(15)
      expect(exceeded[0]?.exceeded).toMatchObject({
        kind: "budget",
        name: "content check jailbreak"
      })
      // Its caller pays nothing else, and may go on.
      await instance.guardrails.update({ id: defaultGuardrail, content_filter_checks: null })
      await say("text")
    }
  )

  test("is what failures of the check are by default", async () => {
    const { say, talker } = await startJudge({
      check: { budget: { daily: 0.005 }, onFailure: "match" }
    })
    await expect(say("hello")).rejects.toMatchObject({ status: 403 })
    expect(talker.requests).toEqual([])
  })

  test("holds for a model on trial, too", async () => {
    const { asked, records, say } = await startJudge({
      check: { budget: { daily: 0.02 } },
      experiments: [
        { match: { model: "proof/judge" }, to: "proof/trial", mode: "canary", share: 0.99 },
        {
          match: { model: "proof/judge" },
          to: "proof/trial",
          mode: "shadow",
          share: 1,
          budgetUsd: 0.001
        }
      ]
    })
    for (let at = 0; at < 6; at++) await say(`text ${at}`)
    expect(asked).toHaveLength(2)
    await expect.poll(() => records).toHaveLength(12)
    expect(records.some(({ experiment }) => experiment?.arm === "canary")).toBe(true)
  })

  test("is of one account", async () => {
    const { asked, instance } = await startJudge({ check: { budget: { lifetime: 0.01 } } })
    const ask = (account: string, content: string) =>
      instance.chat(
        { model: "proof/chat", messages: [{ role: "user", content }] },
        { caller: { account } }
      )
    for (const account of ["one", "two"]) {
      await instance.guardrails.update(
        {
          id: defaultGuardrail,
          content_filter_checks: [{ check: "jailbreak", action: "block", label: null }]
        },
        { caller: { account } }
      )
    }
    await ask("one", "a")
    await ask("one", "b")
    await ask("two", "c")
    await ask("two", "d")
    expect(asked).toEqual(["a", "c"])
  })

  test("does not replace what the caller may spend: who cannot pay for the check is refused", async () => {
    const { asked, instance, talker } = await startJudge()
    const { key } = await instance.keys.create({ name: "poor", limit: 0.005 })
    const response = await instance.fetch(
      new Request("http://signalbox.invalid/api/v1/chat/completions", {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({ model: "proof/chat", messages: [{ role: "user", content: "hi" }] })
      })
    )
    expect(response.status).toBe(402)
    expect(JSON.stringify(await response.json())).toContain("Key limit exceeded")
    expect([asked.length, talker.requests.length]).toEqual([0, 0])
  })
})

const post = async (
  instance: Awaited<ReturnType<typeof startJudge>>["instance"],
  path: string,
  body: object,
  key: string
) => {
  const response = await instance.fetch(
    new Request(`http://signalbox.invalid/api/v1${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(body)
    })
  )
  return { status: response.status, text: JSON.stringify(await response.json()) }
}

describe("budgets of a scope", () => {
  test.each([
    ["user of requests", { external_user: "ada" }, { user: "ada" }, { user: "bob" }],
    [
      "tag that requests say in their trace",
      { tag: { customer: "acme" } },
      { trace: { customer: "acme" } },
      { trace: { customer: "beta" } }
    ]
  ])(
    "of a %s count the check, and refuse who has nothing left in them",
    async (_, scope, own, other) => {
      const { asked, instance, records, talker } = await startJudge({
        settings: { traceTags: ["customer"] }
      })
      const set = await post(
        instance,
        "/signalbox/budgets",
        { scope, limit_usd: 0.025, reset_interval: null },
        keys.management
      )
      expect(set).toMatchObject({ status: 201 })
      const say = (content: string, labels: object) =>
        post(
          instance,
          "/chat/completions",
          { model: "proof/chat", messages: [{ role: "user", content }], ...labels },
          keys.member
        )
      expect((await say("one", own)).status).toBe(200)
      expect((await say("two", own)).status).toBe(200)
      const refused = await say("three", own)
      expect(refused.status).toBe(402)
      expect(refused.text).toContain("Budget")
      expect((await say("three", other)).status).toBe(200)
      expect(asked).toEqual(["one", "two", "three"])
      expect(talker.requests).toHaveLength(3)
      await expect
        .poll(async () => {
          const { data } = await instance.limits.list()
          return data.flatMap(({ kind, settled }) => (kind === "budget" ? [settled] : []))
        })
        .toEqual([0.02])
      await expect.poll(() => records).toHaveLength(8)
    }
  )
})

describe("a model that does not answer", () => {
  test.each(["pass", "match"] as const)("is a %s, and the log has no text", async (onFailure) => {
    const { logs, say, talker } = await startJudge({
      check: { onFailure },
      decide: () => Effect.die(new Error("no secretly"))
    })
    const [said] = await Promise.allSettled([say("secretly")])
    expect(said.status).toBe(onFailure === "pass" ? "fulfilled" : "rejected")
    expect(talker.requests).toHaveLength(onFailure === "pass" ? 1 : 0)
    const own = logs.filter((line) => line.includes("The content check jailbreak failed"))
    expect(own).toHaveLength(1)
    expect(own[0]).toContain("AttemptsFailed")
    expect(own.join()).not.toContain("secretly")
  })

  test("in time is interrupted", async () => {
    let isInterrupted = false
    const { say } = await startJudge({
      check: { timeoutMillis: 1, onFailure: "match" },
      decide: () =>
        Effect.onInterrupt(Effect.never, () => Effect.sync(() => (isInterrupted = true)))
    })
    await expect(say("hello")).rejects.toMatchObject({ status: 403 })
    expect(isInterrupted).toBe(true)
  })

  test("because the account allows it no text fails, too", async () => {
    const { asked, logs, say } = await startJudge({
      accounts: [{ id: "default", zdr: true }],
      check: { onFailure: "match" }
    })
    await expect(say("hello")).rejects.toMatchObject({ status: 403 })
    expect(asked).toEqual([])
    expect(logs.join()).toContain("NoEndpoints")
  })
})

test.each([
  [{ ...jailbreak, model: "proof/juge" }, "contentChecks.own.model: proof/juge is no model"],
  [{ question: "Is it?", model: "proof/judge" }, "contentChecks.own: budget"],
  [{ ...jailbreak, budget: {} }, "contentChecks.own: budget"],
  [{ ...jailbreak, treshold: 0.5 }, "contentChecks.own: treshold"],
  [{ ...jailbreak, threshold: 1.5 }, "contentChecks.own: threshold"],
  [{ find: () => [], timeout: 5 }, "contentChecks.own: timeout"]
])("an option that cannot be is refused: %j", async (check, message) => {
  await expect(
    Signalbox.make({
      upstreams: [],
      models: [],
      // A host in JavaScript has no compiler.
      contentChecks: { own: check as never }
    })
  ).rejects.toThrow(message)
})
