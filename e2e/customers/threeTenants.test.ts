/**
 * An application sells models to three tenants: sessions, bundles, a billing page, alerts and erasure, on Express and
 * Fastify over SQLite and Postgres.
 */
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Alert } from "@signalbox/core/contract"
import { ScriptedUpstream } from "@signalbox/testing"
import { describe, expect, inject, onTestFinished, test } from "vitest"
import { native } from "../support/decisionMethods.ts"
import type { HttpResponse } from "../support/HttpResponse.ts"
import { parseErrorEnvelope } from "../support/HttpResponse.ts"
import { openStores } from "../support/openStores.ts"
import { send } from "../support/send.ts"
import { makeTestDatabase, type TestDatabase } from "../support/TestDatabase.ts"
import { questions } from "../support/TestServer.ts"
import { startExpressShop } from "./shop/expressShop.ts"
import { startFastifyShop } from "./shop/fastifyShop.ts"
import type { RunningShop, ShopOptions } from "./shop/Shop.ts"

const hosts = [
  { host: "Express with express-session", start: startExpressShop },
  { host: "Fastify with @fastify/jwt", start: startFastifyShop }
]
const databases = [
  {
    database: "SQLite",
    make: () => makeTestDatabase(mkdtempSync(join(tmpdir(), "shop-")), undefined)
  },
  { database: "Postgres", make: () => makeTestDatabase("", inject("postgresUrl")) }
]

/** A Decision costs a cent. */
const makeOptions = (
  upstream: ScriptedUpstream,
  database: TestDatabase,
  alerts: Array<Alert>
): ShopOptions => ({
  stores: openStores(database),
  upstreams: [native.makeUpstream(upstream.url, { slug: "first", name: "First", apiKey: "sk-up" })],
  models: [
    {
      id: "proof/model",
      endpoints: [{ provider: "first", price: { prompt: "0", completion: "0", request: "0.01" } }]
    }
  ],
  alerts: {
    thresholds: [{ percent: 80 }],
    onAlert: (alert) => void alerts.push(alert)
  }
})

const openSession = async ({ origin }: RunningShop, customer: string, name: string) => {
  const login = await send(`${origin}/login`, {
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ customer, name })
  })
  const cookie = login.headers["set-cookie"]?.split(";")[0]
  const headers: Readonly<Record<string, string>> =
    cookie === undefined
      ? { authorization: `Bearer ${String(Object(login.body).token)}` }
      : { cookie }
  return {
    decide: (): Promise<HttpResponse> =>
      send(`${origin}/ai/api/alpha/decisions`, {
        headers: { ...headers, "content-type": "application/json" },
        body: JSON.stringify({ model: "proof/model", state: "I was charged twice!", questions })
      }),
    readBill: async () => (await send(`${origin}/billing`, { method: "GET", headers })).text
  }
}

describe.each(hosts)("on $host", ({ start }) => {
  test.each(databases)("over $database", async ({ make }) => {
    const upstream = await ScriptedUpstream.start()
    onTestFinished(() => upstream.close())
    const alerts: Array<Alert> = []
    const database = make()
    const shop = await start(makeOptions(upstream, database, alerts))
    const { customers, people } = shop.instance

    // Nobody without a session.
    expect((await send(`${shop.origin}/billing`, { method: "GET" })).status).toBe(401)
    const [ada, ben, eve, max] = await Promise.all([
      openSession(shop, "acme", "ada"),
      openSession(shop, "acme", "ben"),
      openSession(shop, "bolt", "eve"),
      openSession(shop, "core", "max")
    ])

    // Users of one tenant spend from its budget, and not from that of another.
    const statuses: Array<number> = []
    for (const { decide } of [ada, ada, ada, ben, ben, ben]) statuses.push((await decide()).status)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 403])
    expect((await eve.decide()).status).toBe(200)
    expect((await max.decide()).status).toBe(200)

    // The host is warned once, with the name of the tenant.
    await expect.poll(() => alerts.length, { timeout: 30_000 }).toBe(1)
    expect(alerts[0]?.message).toContain("acme")

    const bill = await ada.readBill()
    expect(bill).toContain("$0.05 of $0.05")
    expect(bill).toContain("<td>acme:ada<td>3<td>$0.03")
    // One of three was refused.
    expect(bill).toContain("<td>acme:ben<td>3<td>$0.02")
    expect(bill).not.toContain("bolt")
    expect(await eve.readBill()).toContain("$0.01 of $1.00")

    await customers.update({ slug: "acme", bundle: "pro" })
    expect((await ben.decide()).status).toBe(200)
    expect(await ben.readBill()).toContain("$0.06 of $1.00")

    await customers.suspend({ slug: "core", reason: "the invoice is overdue" })
    const refused = await max.decide()
    expect(refused.status).toBe(403)
    expect(parseErrorEnvelope(refused).message).toContain("the invoice is overdue")
    expect((await eve.decide()).status).toBe(200)

    // The person is gone, and the bill is right.
    const { data: erasure } = await people.erase({ user: "acme:ada" })
    const after = await ben.readBill()
    expect(after).not.toContain("acme:ada")
    expect(after).toContain(`<td>${erasure.pseudonym}<td>3<td>$0.03`)
    expect(after).toContain("$0.06 of $1.00")
    await shop.close()

    // A restart finds the customers as they are.
    const restarted = await start(makeOptions(upstream, database, alerts))
    onTestFinished(() => restarted.close())
    const { data } = await restarted.instance.customers.list()
    expect(data.map(({ bundle, slug }) => ({ bundle, slug }))).toEqual([
      { slug: "acme", bundle: "pro" },
      { slug: "bolt", bundle: "pro" },
      { slug: "core", bundle: "starter" }
    ])
    const again = await openSession(restarted, "core", "max")
    expect((await again.decide()).status).toBe(403)
  })
})
