/** Test events of webhooks: sent at once, by the rules of all events, and answered with how it went. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http"
import { text } from "node:stream/consumers"
import { Signalbox } from "@signalbox/node"
import { listen } from "@signalbox/testing/contracts"
import { Webhook } from "standardwebhooks"
import { expect, onTestFinished, test } from "vitest"
import { makeTestStores } from "../support/testStores.ts"

const startReceiver = async (answer: (response: ServerResponse) => unknown) => {
  const received: Array<{ readonly headers: IncomingHttpHeaders; readonly body: string }> = []
  const host = await listen(
    createServer((request, response) => {
      void text(request).then((body) => {
        received.push({ headers: request.headers, body })
        return answer(response)
      })
    })
  )
  onTestFinished(host.close)
  return { url: `${host.origin}/hook`, received }
}

const start = async (settings: Parameters<typeof Signalbox.make>[0]["settings"] = {}) => {
  const instance = await Signalbox.make({
    ...makeTestStores(),
    upstreams: [],
    models: [],
    sealing: { current: "k", keys: { k: "a sealing key that nobody is going to guess" } },
    settings: { allowPrivateNetworks: true, ...settings }
  })
  onTestFinished(() => instance.close())
  const aim = (callback_url: string | null) =>
    instance.webhooks.set({ id: "default", callback_url })
  return { instance, aim, send: () => instance.webhooks.test({ id: "default" }) }
}

test("a test event is signed, sent once, in the audit log, and no delivery", async () => {
  const { aim, instance, send } = await start()
  const { received, url } = await startReceiver((response) => response.writeHead(202).end("secret"))
  await aim(`${url}?token=planted`)
  const { secret } = await instance.webhooks.createSecret({ id: "default" })

  const { data } = await send()
  expect(data).toMatchObject({ delivered: true, status: 202, error: null })
  expect(data.duration_ms).toBeGreaterThanOrEqual(0)
  expect(JSON.stringify(data)).not.toMatch(/planted|secret/)

  expect(received).toHaveLength(1)
  const [{ body, headers }] = received as [(typeof received)[number]]
  expect(headers["webhook-id"]).toBe(data.id)
  const event = new Webhook(secret).verify(body, {
    "webhook-id": String(headers["webhook-id"]),
    "webhook-timestamp": String(headers["webhook-timestamp"]),
    "webhook-signature": String(headers["webhook-signature"])
  })
  expect(event).toMatchObject({ type: "webhook.test", data: { workspace_id: expect.any(String) } })

  expect((await instance.deliveries.list()).data).toEqual([])
  const { data: entries } = await instance.audit.list()
  const entry = entries.find(({ action }) => action === "webhook.test")
  expect(entry).toMatchObject({ after: { id: data.id } })
  expect(JSON.stringify(entries)).not.toContain("planted")
})

test("what a receiver does wrong is the result, and leaves the webhook as it is", async () => {
  const { aim, instance, send } = await start()
  const { received, url } = await startReceiver((response) => response.writeHead(410).end())
  await aim(url)
  expect((await send()).data).toMatchObject({ delivered: false, status: 410, error: null })
  expect(received).toHaveLength(1)
  expect((await instance.webhooks.get({ id: "default" })).data.callback_url).toBe(url)

  const elsewhere = await startReceiver((response) => response.writeHead(204).end())
  const redirecting = await startReceiver((response) =>
    response.writeHead(307, { location: elsewhere.url }).end()
  )
  await aim(redirecting.url)
  expect((await send()).data).toMatchObject({ delivered: false, status: 307 })
  expect(elsewhere.received).toEqual([])
})

test("a receiver that does not answer is given up after the time of any event", async () => {
  const { aim, send } = await start({ webhookTimeoutMillis: 50 })
  const { url } = await startReceiver(() => undefined)
  await aim(url)
  expect((await send()).data).toMatchObject({ delivered: false, status: null, error: "timeout" })
})

test("a test event reaches no private address", async () => {
  const { aim, send } = await start({ allowPrivateNetworks: false })
  // A public name of a private address.
  await aim("https://localtest.me/hook")
  const { error, status } = (await send()).data
  expect(status).toBeNull()
  expect(["not_public", "unresolved"]).toContain(error)
})

test("an account sends a bounded number of test events, and none without a webhook", async () => {
  const { aim, send } = await start({ webhookTestsPerMinute: 2 })
  await expect(send()).rejects.toMatchObject({ status: 404 })
  const { received, url } = await startReceiver((response) => response.writeHead(204).end())
  await aim(url)
  await send()
  await send()
  await expect(send()).rejects.toMatchObject({ status: 429 })
  expect(received).toHaveLength(2)
})
