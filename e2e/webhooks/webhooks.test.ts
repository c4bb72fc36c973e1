/** Events are delivered to receivers over HTTP, and to no other address. */
import { createHmac } from "node:crypto"
import { mkdtempSync } from "node:fs"
import { createServer, type IncomingHttpHeaders, type RequestListener } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { defaultAccountId, defaultWorkspaceId, type Options } from "@signalbox/core"
import { Deliveries } from "@signalbox/core/adapter"
import { Signalbox } from "@signalbox/node"
import { sqlite } from "@signalbox/sql"
import { listen } from "@signalbox/testing/contracts"
import * as Effect from "effect/Effect"
import { Webhook } from "standardwebhooks"
import { expect, onTestFinished, test } from "vitest"
import { parseJson } from "../support/HttpResponse.ts"
import { getProperty } from "../support/getProperty.ts"
import { makeTestStores } from "../support/testStores.ts"

interface ReceivedEvent {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Starts a receiver that answers with the given statuses in order, repeating the last. */
const startReceiver = async (...statuses: ReadonlyArray<number | RequestListener>) => {
  const received: Array<ReceivedEvent> = []
  const host = await listen(
    createServer((request, response) => {
      void text(request).then((body) => {
        received.push({ headers: request.headers, body })
        const answer = statuses[Math.min(received.length, statuses.length) - 1]
        return typeof answer === "function"
          ? answer(request, response)
          : response.writeHead(answer ?? 204).end()
      })
    })
  )
  onTestFinished(host.close)
  return { url: `${host.origin}/`, received }
}

const startServer = async (options: Partial<Options> = {}) => {
  const instance = await Signalbox.make({
    ...makeTestStores(),
    upstreams: [],
    models: [],
    keys: [{ key: "sk-proof-manager", kind: "management" }],
    sealing: { current: "k", keys: { k: "a sealing key that nobody is going to guess" } },
    ...options,
    settings: { allowPrivateNetworks: true, webhookRetryMillis: [1], ...options.settings }
  })
  onTestFinished(() => instance.close())
  const manage = async (method: string, path: string, body?: unknown) => {
    const answer = await instance.fetch(
      new Request(`http://signalbox.invalid/api/v1/signalbox${path}`, {
        method,
        headers: {
          authorization: "Bearer sk-proof-manager",
          "content-type": "application/json"
        },
        ...(body === undefined ? undefined : { body: JSON.stringify(body) })
      })
    )
    return { status: answer.status, body: parseJson(await answer.text()) }
  }
  const offer = (id: string, callbackUrl?: string) =>
    Effect.runPromise(
      Effect.provideContext(
        Deliveries.use((deliveries) =>
          deliveries.offer({
            account: defaultAccountId,
            workspace: defaultWorkspaceId,
            id: `${id}-completed`,
            type: "video.generation.completed",
            at: 1_767_225_600_000,
            data: { id, status: "completed", generation_id: null, model: "acme/reel" },
            ...(callbackUrl === undefined ? undefined : { callbackUrl })
          })
        ),
        instance.context
      )
    )
  const delivery = async (id: string) =>
    getProperty((await manage("GET", `/deliveries/${id}-completed`)).body, "data")
  return { instance, delivery, manage, offer }
}

const waitOptions = { timeout: 240_000, interval: 20 }

test("an event of a workspace is delivered with a signature, listed, and can be redelivered", async () => {
  const { delivery, manage, offer } = await startServer()
  const { received, url } = await startReceiver(204)
  await manage("PUT", "/workspaces/default/webhook", { callback_url: `${url}?token=planted` })
  const secrets = [
    getProperty((await manage("POST", "/workspaces/default/webhook/secrets")).body, "secret"),
    getProperty((await manage("POST", "/workspaces/default/webhook/secrets")).body, "secret")
  ].map(String)
  expect(await offer("job")).toBe(true)
  await expect.poll(() => delivery("job"), waitOptions).toMatchObject({ state: "delivered" })

  const [{ body, headers }] = received as [ReceivedEvent]
  expect(JSON.parse(body)).toEqual({
    type: "video.generation.completed",
    created_at: "2026-01-01T00:00:00.000Z",
    data: { id: "job", status: "completed", generation_id: null, model: "acme/reel" }
  })
  const reference = String(headers["x-openrouter-signature"])
  const [, timestamp] = /^t=(\d+),/.exec(reference) ?? []
  for (const secret of secrets) {
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toEqual(
      JSON.parse(body)
    )
    const hex = createHmac("sha256", secret).update(`${timestamp},${body}`).digest("hex")
    expect(reference.split(",")).toContain(`v1=${hex}`)
  }
  expect(headers["x-openrouter-idempotency-key"]).toBe("job-completed")
  expect(headers["webhook-id"]).toBe("job-completed")

  expect(await manage("GET", "/deliveries?state=delivered&workspace_id=default")).toEqual({
    status: 200,
    body: {
      has_more: false,
      data: [
        {
          id: "job-completed",
          workspace_id: defaultWorkspaceId,
          type: "video.generation.completed",
          url: `${url}?...`,
          state: "delivered",
          created_at: expect.any(String),
          next_attempt_at: null,
          ended_at: expect.any(String),
          last_attempt: {
            at: expect.any(String),
            duration_ms: expect.any(Number),
            status: 204,
            error: null
          }
        }
      ]
    }
  })
  expect((await manage("POST", "/deliveries/job-completed/redeliver")).status).toBe(202)
  await expect.poll(() => received.length, waitOptions).toBe(2)
  expect(received[1]?.body).toBe(body)
  expect((await manage("GET", "/deliveries?state=lost")).status).toBe(400)
})

test("a delivery is retried when its receiver fails, but not when it is gone", async () => {
  const { delivery, manage, offer } = await startServer()
  const flaky = await startReceiver(500, 204)
  const gone = await startReceiver(410)
  await manage("PUT", "/workspaces/default/webhook", { callback_url: gone.url })
  await offer("flaky", flaky.url)
  await offer("gone")
  await expect.poll(() => delivery("flaky"), waitOptions).toMatchObject({ state: "delivered" })
  await expect.poll(() => delivery("gone"), waitOptions).toMatchObject({ state: "disabled" })
  expect(flaky.received).toHaveLength(2)
  expect(gone.received).toHaveLength(1)
  expect((await manage("GET", "/workspaces/default/webhook")).body).toMatchObject({
    data: { callback_url: null }
  })
})

test("redirects are not followed and endless responses are not read", async () => {
  const { delivery, offer } = await startServer({ settings: { webhookRetryMillis: [] } })
  const secret = await startReceiver(200)
  const elsewhere = await startReceiver((_request, response) => {
    response.writeHead(307, { location: secret.url }).end()
  })
  const metadata = await startReceiver((_request, response) => {
    response.writeHead(302, { location: "http://169.254.169.254/latest/meta-data/" }).end()
  })
  const endless = await startReceiver((_request, response) => {
    response.writeHead(200)
    const pour = () => {
      while (!response.destroyed && response.write("x".repeat(65_536)));
      response.once("drain", pour)
    }
    pour()
  })
  await offer("elsewhere", elsewhere.url)
  await offer("metadata", metadata.url)
  await offer("endless", endless.url)
  const getLastAttempt = async (id: string) => getProperty(await delivery(id), "last_attempt")
  await expect.poll(() => getLastAttempt("elsewhere"), waitOptions).toMatchObject({ status: 307 })
  await expect.poll(() => getLastAttempt("metadata"), waitOptions).toMatchObject({ status: 302 })
  await expect.poll(() => getLastAttempt("endless"), waitOptions).toMatchObject({ status: 200 })
  expect(secret.received).toEqual([])
})

test("private addresses are not called unless allowed", async () => {
  const { delivery, manage, offer } = await startServer({
    settings: { allowPrivateNetworks: false }
  })
  const { received, url } = await startReceiver(204)
  const refused = await manage("PUT", "/workspaces/default/webhook", { callback_url: url })
  expect([refused.status, refused.body]).toMatchObject([
    400,
    { error: { message: "callback_url: must be an https address" } }
  ])
  await offer("job", url)
  await expect
    .poll(() => delivery("job"), waitOptions)
    .toMatchObject({
      state: "failed",
      last_attempt: { status: null, error: "unsafe_address" }
    })
  expect(received).toEqual([])
})

test("an event that one instance could not deliver is delivered by the next one on the same database", async () => {
  const stores = () => sqlite({ path })
  const path = join(mkdtempSync(join(tmpdir(), "signalbox-")), "signalbox.db")
  const { received, url } = await startReceiver(503, 204)
  const first = await startServer({ stores: stores(), settings: { webhookRetryMillis: [3_000] } })
  await first.offer("job", url)
  await expect.poll(() => received.length, waitOptions).toBe(1)
  await expect
    .poll(() => first.delivery("job"), waitOptions)
    .toMatchObject({ last_attempt: { status: 503 } })
  await first.instance.close()
  const second = await startServer({ stores: stores() })
  await expect
    .poll(() => second.delivery("job"), waitOptions)
    .toMatchObject({
      state: "delivered",
      attempts: [{ status: 503 }, { status: 204 }]
    })
  expect(received.map(({ headers }) => headers["webhook-id"])).toEqual([
    "job-completed",
    "job-completed"
  ])
})
