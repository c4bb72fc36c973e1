/** Two processes share a database and a budget: whoever spends, each threshold is told once. */
import { createHmac, timingSafeEqual } from "node:crypto"
import { createServer, type IncomingHttpHeaders } from "node:http"
import { text } from "node:stream/consumers"
import type { Alert } from "@signalbox/core/contract"
import { memoryStores } from "@signalbox/core/stores"
import { ScriptedUpstream } from "@signalbox/testing"
import { listen } from "@signalbox/testing/contracts"
import { Webhook } from "standardwebhooks"
import { expect, inject, onTestFinished, test } from "vitest"
import { getProperty } from "../support/getProperty.ts"
import { makeSharedInstance } from "../support/makeSharedInstance.ts"
import { keys, questions } from "../support/TestServer.ts"

interface ReceivedEvent {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

const startReceiver = async () => {
  const received: Array<ReceivedEvent> = []
  const host = await listen(
    createServer((request, response) => {
      void text(request).then((body) => {
        received.push({ headers: request.headers, body })
        return response.writeHead(204).end()
      })
    })
  )
  onTestFinished(host.close)
  return { url: `${host.origin}/`, received }
}

/** As docs/guides/webhooks.md says. */
const isSigned = (secret: string, { body, headers }: ReceivedEvent): boolean => {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64")
  const id = String(headers["webhook-id"])
  const signed = `${id}.${String(headers["webhook-timestamp"])}.${body}`
  const expected = createHmac("sha256", key).update(signed).digest()
  return String(headers["webhook-signature"])
    .split(" ")
    .some((signature) => {
      const given = Buffer.from(signature.replace(/^v1,/, ""), "base64")
      return given.length === expected.length && timingSafeEqual(given, expected)
    })
}

const waitOptions = { timeout: 60_000, interval: 50 }

test("two instances on one Postgres tell each threshold of one budget once, signed", async () => {
  const upstream = await ScriptedUpstream.start()
  onTestFinished(() => upstream.close())
  const receiver = await startReceiver()
  const heard: Array<Alert> = []
  const config = {
    database: { url: inject("postgresUrl"), schema: `alerts-${crypto.randomUUID()}` },
    upstream: upstream.url
  }
  const options = {
    alerts: { onAlert: (alert: Alert) => void heard.push(alert) },
    settings: { allowPrivateNetworks: true, alertDelayMillis: 20 }
  }
  const instances = [
    await makeSharedInstance(config, options),
    await makeSharedInstance(config, options)
  ] as const
  onTestFinished(async () => {
    await Promise.all(instances.map((instance) => instance.close()))
  })
  const [first] = instances
  await first.ask({
    method: "PUT",
    url: "/v1/signalbox/workspaces/default/webhook",
    body: { callback_url: receiver.url }
  })
  const { body } = await first.ask({
    method: "POST",
    url: "/v1/signalbox/workspaces/default/webhook/secrets"
  })
  const secret = String(getProperty(body, "secret"))
  await first.ask({
    method: "PUT",
    url: "/v1/workspaces/default/budgets/monthly",
    body: { limit_usd: 0.2 }
  })

  /** Spends one cent for each request, half of them at either instance. */
  const spend = async (cents: number) => {
    const answers = await Promise.all(
      Array.from({ length: cents }, (_, at) =>
        instances[at % 2 === 0 ? 0 : 1].ask({
          method: "POST",
          url: "/alpha/decisions",
          body: { model: "proof/model", state: "I was charged twice!", questions },
          key: keys.member
        })
      )
    )
    return answers.filter(({ status }) => status === 200).length
  }
  const listPercents = () =>
    receiver.received.map(({ body }) => JSON.parse(body).data.threshold.percent)

  expect(await spend(9)).toBe(9)
  expect(await spend(2)).toBe(2)
  await expect.poll(listPercents, waitOptions).toEqual([50])
  expect(await spend(5)).toBe(5)
  await expect.poll(listPercents, waitOptions).toEqual([50, 80])
  expect(await spend(10)).toBe(4)
  await expect.poll(listPercents, waitOptions).toEqual([50, 80, 100])
  await expect.poll(() => heard.length, waitOptions).toBe(3)

  const { received } = receiver
  for (const event of received) {
    expect(isSigned(secret, event)).toBe(true)
    const { body, headers } = event
    const { data, type } = JSON.parse(body)
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toEqual(
      JSON.parse(body)
    )
    expect(headers["webhook-id"]).toBe(data.id)
    expect(type).toBe("alert.threshold_crossed")
  }
  const ids = received.map(({ headers }) => headers["webhook-id"])
  expect(new Set(ids).size).toBe(3)
  expect(heard.map(({ id }) => id)).toEqual(ids)
  expect(heard.at(-1)?.message).toContain(
    'The monthly budget of workspace "Default" has reached 100 %: 0.20 of 0.20 USD are spent (100 %).'
  )
  const listed = await instances[1].ask({ method: "GET", url: "/v1/signalbox/alerts?limit=2" })
  expect(listed.body).toMatchObject({
    data: [{ id: ids[2] }, { id: ids[1] }],
    has_more: true
  })
})

test("a customer's rule tells its workspace, and is managed over HTTP", async () => {
  const upstream = await ScriptedUpstream.start()
  onTestFinished(() => upstream.close())
  const instance = await makeSharedInstance(
    {
      database: { url: inject("postgresUrl"), schema: `alerts-${crypto.randomUUID()}` },
      upstream: upstream.url
    },
    { alerts: { thresholds: [] } }
  )
  onTestFinished(() => instance.close())
  const url = "/v1/signalbox/alert-rules"
  const rejected = await instance.ask({
    method: "POST",
    url,
    body: { name: "none", thresholds: [{ percent: 0 }] }
  })
  expect(rejected.status).toBe(400)
  const created = await instance.ask({
    method: "POST",
    url,
    body: { name: "finance", thresholds: [{ percent: 90 }, { remaining: 5 }] }
  })
  expect(created).toMatchObject({
    status: 201,
    body: { data: { name: "finance", limits: null } }
  })
  const id = String(getProperty(getProperty(created.body, "data"), "id"))
  const changed = await instance.ask({
    method: "PATCH",
    url: `${url}/${id}`,
    body: { limits: ["credits"] }
  })
  expect(changed.body).toMatchObject({
    data: { name: "finance", limits: ["credits"], thresholds: [{ percent: 90 }, { remaining: 5 }] }
  })
  expect((await instance.ask({ method: "GET", url })).body).toMatchObject({ total_count: 1 })
  expect((await instance.ask({ method: "DELETE", url: `${url}/${id}` })).status).toBe(200)
  expect((await instance.ask({ method: "GET", url: `${url}/${id}` })).status).toBe(404)
})

test("an instance in memory tells a function of its credits, and lists that", async () => {
  const upstream = await ScriptedUpstream.start()
  onTestFinished(() => upstream.close())
  const heard: Array<Alert> = []
  const instance = await makeSharedInstance(
    { database: { url: "", schema: "" }, upstream: upstream.url },
    {
      stores: memoryStores,
      credits: { default: "0.04" },
      alerts: {
        thresholds: [{ remaining: 0.02 }],
        onAlert: async (alert) => {
          heard.push(alert)
          if (heard.length === 1) throw new Error("the pager is down")
        }
      },
      settings: { alertDelayMillis: 20 }
    }
  )
  onTestFinished(() => instance.close())
  const ask = async () => {
    const { status } = await instance.ask({
      method: "POST",
      url: "/alpha/decisions",
      body: { model: "proof/model", state: "I was charged twice!", questions },
      key: keys.member
    })
    return status
  }
  expect([await ask(), await ask(), await ask()]).toEqual([200, 200, 200])
  await expect.poll(() => heard.length, waitOptions).toBe(2)
  expect(heard[1]).toEqual(heard[0])
  expect(heard[0]?.message).toMatch(/^The credit of the account has 0\.02 USD or less left: /)
  const listed = await instance.ask({ method: "GET", url: "/v1/signalbox/alerts" })
  expect(listed.body).toMatchObject({ data: [{ id: heard[0]?.id }], has_more: false })
})
