/**
 * The mission of the project, from an install of its packages to the reason for a failure in the console, on both
 * databases, each of them new and written by the first version.
 *
 * The first version is the earliest one that had all of it: keys, budgets, customers' credentials, videos, webhooks,
 * interns and vaults. It is the one whose last migration is the 8th. It ran this application without a console, and was
 * killed while it waited for a film and booted the machine of an intern. `firstVersion.json` has the rows that it left in
 * SQLite; on Postgres it left rows of the same tables and columns.
 */
import { existsSync } from "node:fs"
import { defaultWorkspaceId } from "@signalbox/core"
import { Webhook } from "standardwebhooks"
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest"
import { BrowserTab } from "../console/support/BrowserTab.ts"
import { canOpenBrowser, openBrowser } from "../console/support/openBrowser.ts"
import { getProperty } from "../support/getProperty.ts"
import { parseErrorEnvelope } from "../support/HttpResponse.ts"
import { parseChatEvents } from "../support/parseChatEvents.ts"
import { send } from "../support/send.ts"
import { Mission } from "./Mission.ts"

const decision = {
  model: "acme/writer",
  state: "I was charged twice!",
  questions: { urgent: { type: "noul", instructions: "Is it urgent?" } }
}
const chat = {
  model: "acme/writer",
  messages: [{ role: "user", content: "Is it calm at sea?" }],
  provider: { order: ["east", "west"] },
  stream: true
}

const toFirst = (list: unknown): unknown => (Array.isArray(list) ? list[0] : undefined)

const readAnswer = ({ text }: { readonly text: string }): string =>
  parseChatEvents(text)
    .chunks.map((chunk) => {
      const delta = getProperty(toFirst(getProperty(chunk, "choices")), "delta")
      return getProperty(delta, "content")
    })
    .join("")

/** The event of a job is received once, and its delivery is over. */
const expectDelivery = async (mission: Mission, job: string): Promise<void> => {
  await expect
    .poll(() => mission.look(`/v1/signalbox/deliveries/${job}-completed`))
    .toMatchObject({ state: "delivered" })
  expect(mission.world.events.filter((event) => event.job === job)).toHaveLength(1)
}

const databases = [
  { database: "SQLite", listUrls: () => ({}) },
  { database: "Postgres", listUrls: () => ({ postgresUrl: inject("postgresUrl") }) }
]

describe.each(databases)("on a new $database database", ({ listUrls }) => {
  let mission: Mission
  beforeAll(async () => {
    const directory = inject("application")
    mission = await Mission.start({ directory, isUpgraded: false, ...listUrls() })
  })
  afterAll(() => mission?.close())
  testMission(() => mission)
})

describe.each(databases)("on a $database database of the first version", ({ listUrls }) => {
  let mission: Mission
  beforeAll(async () => {
    const directory = inject("application")
    mission = await Mission.start({ directory, isUpgraded: true, ...listUrls() })
  })
  afterAll(() => mission?.close())
  testContinuation(() => mission)
  testMission(() => mission)
})

/** The steps of the mission, in order. */
function testMission(getMission: () => Mission): void {
  test("the router and the console are mounted in the application", async () => {
    const mission = getMission()
    const ask = (path: string, headers = {}) =>
      send(`${mission.origin}${path}`, { method: "GET", headers })
    expect(await ask("/")).toMatchObject({ status: 200, text: "a page of the application" })
    expect(await mission.call("/v1/models")).toMatchObject({ status: 200 })
    expect(await ask("/console/")).toMatchObject({ status: 403 })
    expect(await ask("/console/", { "x-admin": "yes" })).toMatchObject({ status: 200 })
  })

  test("a Decision is made", async () => {
    expect(await getMission().call("/alpha/decisions", { body: decision })).toMatchObject({
      status: 200,
      body: { answers: { urgent: { type: "noul", noul: expect.any(Number) } } }
    })
  })

  test("a chat is streamed while the provider writes it", async () => {
    const { origin, world } = getMission()
    const gate = world.east.gate()
    world.east.script(world.reply.chat(["It is ", gate, "calm."]))
    const { body } = await fetch(`${origin}/ai/api/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: "Bearer sk-ada", "content-type": "application/json" },
      body: JSON.stringify(chat)
    })
    let text = ""
    for await (const piece of body!.pipeThrough(new TextDecoderStream())) {
      text += piece
      if (text.includes("It is ")) gate.open()
    }
    expect(readAnswer({ text })).toBe("It is calm.")
    expect(parseChatEvents(text).isDone).toBe(true)
  })

  let failedOver = ""
  let overBudget = ""
  test("another provider answers when one dies before the first part, and the record says why", async () => {
    const mission = getMission()
    const { east, reply, west } = mission.world
    east.script(reply.chat([east.gate(), "never"]))
    west.script(reply.chat("It is calm."))
    const asked = mission.call("/v1/chat/completions", { body: chat })
    await east.waitForRequests(east.requests.length + 1)
    await east.close()
    const answer = await asked
    expect(answer.status).toBe(200)
    expect(readAnswer(answer)).toBe("It is calm.")
    failedOver = String(getProperty(parseChatEvents(answer.text).chunks[0], "id"))
    await expect
      .poll(() => mission.look(`/v1/signalbox/generations/${failedOver}`))
      .toMatchObject({
        outcome: "answered",
        attempts: [
          { endpoint_id: "acme/writer@east", outcome: "unreachable" },
          { endpoint_id: "acme/writer@west", outcome: "served" }
        ]
      })
  })

  test("a film survives the death of the process: made, charged, stored and announced once", async () => {
    const mission = getMission()
    const { pace, receiverUrl, studio } = mission.world
    studio.videos.content = Buffer.from("a tide pool")
    const gate = studio.gate()
    studio.when(({ method }) => method === "POST").script(pace.hold(gate))
    const film = { model: "acme/film", prompt: "a tide pool", duration: 4 }
    const { body, status } = await mission.call("/v1/videos", {
      body: { ...film, callback_url: receiverUrl }
    })
    expect(status).toBe(202)
    const id = String(getProperty(body, "id"))
    await expect.poll(() => studio.videos.jobs).toMatchObject([{ idempotencyKey: id, submits: 1 }])
    await mission.kill()
    gate.open()
    await mission.restart()

    await expect
      .poll(() => mission.readFilm(id))
      .toMatchObject({ status: "completed", usage: { cost: 0.4, is_byok: false } })
    await expectDelivery(mission, id)
    await expect.poll(() => existsSync(mission.toFile(id))).toBe(true)
    expect(await mission.call(`/v1/videos/${id}/content`)).toMatchObject({
      status: 200,
      text: "a tide pool"
    })
    // The second process asked with the same idempotency key.
    expect(studio.videos.jobs).toMatchObject([{ idempotencyKey: id, submits: 2 }])
    const contentPath = `/${studio.videos.jobs[0]?.id}/content`
    expect(studio.requests.filter(({ path }) => path.includes(contentPath))).toHaveLength(1)
  })

  test("an intern with a secret in its vault is created, provisioned and talked to", async () => {
    const mission = getMission()
    const created = await mission.call("/v1/interns", {
      body: { name: "grace", workspace_id: defaultWorkspaceId, instructions: "Be brief." }
    })
    expect(created.status).toBe(201)
    const id = String(getProperty(created.body, "id"))
    const secret = await mission.call(`/v1/vault/interns/${id}/secrets/agent_token`, {
      method: "PUT",
      body: { hosts: ["agents.example.com"], value: "token-of-grace" }
    })
    expect(secret.status).toBe(200)
    const provisioned = await mission.call(`/v1/interns/${id}/provision`, { method: "POST" })
    expect(provisioned.status).toBe(202)
    await expect.poll(() => mission.readIntern(id)).toMatchObject({ status: "running" })
    const answer = readAnswer(await mission.talk(id, "Is it calm?"))
    expect(answer).toBe("I am grace. You said: Is it calm?")
    expect(mission.world.calls.filter(({ intern }) => intern === "grace")).toEqual(
      ["create", "boot", "chat"].map((what) => ({
        what,
        intern: "grace",
        secret: "token-of-grace"
      }))
    )
  })

  test("a key without money left is a 402, and a workspace over its budget a 403", async () => {
    const mission = getMission()
    const decide = async (body: unknown) => {
      const key = String(getProperty(body, "key"))
      const answer = await mission.call("/alpha/decisions", { key, body: decision })
      return { status: answer.status, message: parseErrorEnvelope(answer).message }
    }
    const limited = await mission.manage("/v1/keys", { body: { name: "cents", limit: 0.02 } })
    for (const status of [200, 200]) expect(await decide(limited)).toMatchObject({ status })
    expect(await decide(limited)).toMatchObject({
      status: 402,
      message: expect.stringContaining("Key limit exceeded")
    })

    const body = { name: "Team", slug: "team" }
    const created = getProperty(await mission.manage("/v1/workspaces", { body }), "data")
    const team = String(getProperty(created, "id"))
    const budget = `/v1/workspaces/${team}/budgets/monthly`
    await mission.manage(budget, { method: "PUT", body: { limit_usd: 0.01 } })
    const key = await mission.manage("/v1/keys", { body: { name: "team", workspace_id: team } })
    expect(await decide(key)).toMatchObject({ status: 200 })
    expect(await decide(key)).toMatchObject({
      status: 403,
      message: expect.stringContaining("Workspace budget exceeded")
    })
    const failed = "/v1/signalbox/generations?outcome=failed&limit=1"
    await expect
      .poll(() => mission.look(failed))
      .toMatchObject([{ outcome: "LimitExceeded", workspace_id: team }])
    overBudget = String(getProperty(toFirst(await mission.look(failed)), "id"))
  })

  test.runIf(canOpenBrowser)("two links of the console lead to a reason", async () => {
    const { origin } = getMission()
    const browser = await openBrowser()
    try {
      await using tab = await BrowserTab.open(browser, `${origin}/console/`)
      await tab.page.setExtraHTTPHeaders({ "x-admin": "yes" })
      for (const { id, reason } of [
        { id: failedOver, reason: /acme\/writer@east[^@]+unreachable/ },
        { id: overBudget, reason: /the monthly budget of the workspace of \$0\.01/ }
      ]) {
        await tab.goTo("#/now")
        const links = ["aria/Requests", `tbody a[href^="#/requests/${id}"]`]
        for (const target of links) {
          // Uses the keyboard, because the target of a mouse may move while the page loads.
          await (await tab.page.waitForSelector(target))?.press("Enter")
        }
        await tab.waitFor(id)
        await tab.waitFor("Explain now")
        expect(await tab.text()).toMatch(reason)
      }
      expect(tab.problems).toEqual([])
    } finally {
      await browser.close()
    }
  })
}

/** What the first version left, and what it had under way. */
function testContinuation(getMission: () => Mission): void {
  test("keys are valid, with what they spent", async () => {
    const mission = getMission()
    const key = mission.facts["issuedKey"] ?? ""
    expect(await mission.call("/v1/key", { key })).toMatchObject({
      status: 200,
      body: { data: { limit: 5, usage: 0.01 } }
    })
    expect((await mission.call("/alpha/decisions", { key, body: decision })).status).toBe(200)
  })

  test("a customer's credential is opened", async () => {
    const mission = getMission()
    const body = { ...decision, model: "acme/own" }
    expect((await mission.call("/alpha/decisions", { body })).status).toBe(200)
    expect(mission.world.west.requests.map(({ headers }) => headers["authorization"])).toContain(
      "Bearer sk-of-the-customer-5d0f1c9e7b"
    )
  })

  test("a film under way is completed, and its event, signed, is received once", async () => {
    const mission = getMission()
    const { videoTold = "", videoUnderWay = "", webhookSecret = "" } = mission.facts
    await expect
      .poll(() => mission.readFilm(videoUnderWay))
      .toMatchObject({ status: "completed", usage: { cost: 0.4 } })
    for (const job of [videoTold, videoUnderWay]) {
      await expectDelivery(mission, job)
      const film = await mission.call(`/v1/videos/${job}/content`)
      expect(film).toMatchObject({ status: 200, text: "a film of the first version" })
    }
    for (const { body, headers } of mission.world.events) {
      new Webhook(webhookSecret).verify(body, headers as Record<string, string>)
    }
  })

  test("an intern answers with the secret of its vault, and another one is booted", async () => {
    const mission = getMission()
    const { ada = "", bob = "" } = mission.facts
    expect(readAnswer(await mission.talk(ada, "Hello"))).toBe("I am ada. You said: Hello")
    const secret = "token-of-the-workspace"
    expect(mission.world.calls).toContainEqual({ what: "chat", intern: "ada", secret })
    await expect.poll(() => mission.readIntern(bob)).toMatchObject({ status: "running" })
  })
}
