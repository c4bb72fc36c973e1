import { readFileSync } from "node:fs"
import { join } from "node:path"
import { AccountId, defaultWorkspaceId } from "@signalbox/core"
import { Deliveries } from "@signalbox/core/adapter"
import { Signalbox } from "@signalbox/node"
import * as Effect from "effect/Effect"
import { expect, onTestFinished, test } from "vitest"
import { isSigned } from "../src/receiver/isSigned.ts"
import { startExampleServer } from "./ExampleServer.ts"

/** An example server, and a function that requests it. */
const startServer = async (SIGNALBOX_LOCAL_WEBHOOKS: string, DEMO_TRAFFIC = "0") => {
  const server = await startExampleServer("server", {
    PORT: "0",
    DEMO_TRAFFIC,
    SIGNALBOX_LOCAL_WEBHOOKS
  })
  onTestFinished(() => server.kill("SIGKILL"))
  const root = (await server.curl()).url.replace(/api\/alpha\/.*/, "api/v1/")
  const ask = (key: string, path: string, body: string) =>
    fetch(`${root}${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body
    })
  return {
    root,
    ask,
    submit: (callback_url: string) =>
      ask(
        "sk-demo-member",
        "videos",
        JSON.stringify({ model: "demo/film-1", prompt: "a tide pool", callback_url })
      )
  }
}

const waitOptions = { timeout: 240_000, interval: 20 }

test("the receiver accepts a signed event once, and nothing else", async () => {
  const instance = await Signalbox.make({
    upstreams: [],
    models: [],
    sealing: { current: "k", keys: { k: "a sealing key that nobody is going to guess" } },
    settings: { allowPrivateNetworks: true }
  })
  onTestFinished(() => instance.close())
  const { secret } = await instance.webhooks.createSecret({ id: "default" })

  const receiver = await startExampleServer("receiver", { PORT: "0", WEBHOOK_SECRET: secret })
  onTestFinished(() => receiver.kill("SIGKILL"))
  await expect.poll(receiver.printed, waitOptions).toContain("taken on")
  const [callbackUrl = ""] = /http:\S+/.exec(receiver.printed()) ?? []
  const account = AccountId.make("default")
  const offer = (id: string) =>
    Effect.runPromise(
      Effect.provideContext(
        Deliveries.use((deliveries) =>
          deliveries.offer({
            account,
            workspace: defaultWorkspaceId,
            id: `${id}-completed`,
            type: "video.generation.completed",
            at: 0,
            data: { id },
            callbackUrl
          })
        ),
        instance.context
      )
    )
  await offer("first")
  await expect.poll(receiver.printed, waitOptions).toContain("video.generation.completed: first")
  await instance.deliveries.redeliver({ id: "first-completed" })
  await offer("second")
  await expect.poll(receiver.printed, waitOptions).toContain("video.generation.completed: second")
  expect(receiver.printed().match(/first/g)).toHaveLength(1)

  const forged = await fetch(callbackUrl, { method: "POST", body: "{}" })
  expect(forged.status).toBe(401)
  receiver.kill("SIGTERM")
  expect(await receiver.exited).toBe(0)
})

test.each([
  ["1", 202],
  ["", 400]
])(
  "the demo with SIGNALBOX_LOCAL_WEBHOOKS=%j answers a callback to this machine with %i",
  async (SIGNALBOX_LOCAL_WEBHOOKS, status) => {
    const { submit } = await startServer(SIGNALBOX_LOCAL_WEBHOOKS, "1")
    const answer = await submit("http://127.0.0.1:3100/")
    expect(answer.status).toBe(status)
  }
)

test("the receiver hears of a video of the example server, signed", async () => {
  const { ask, submit } = await startServer("1")
  const told = await ask("sk-demo-management", "signalbox/workspaces/default/webhook/secrets", "")
  const [, secret = ""] = /"secret":"([^"]*)"/.exec(await told.text()) ?? []
  const receiver = await startExampleServer("receiver", { PORT: "0", WEBHOOK_SECRET: secret })
  onTestFinished(() => receiver.kill("SIGKILL"))
  await expect.poll(receiver.printed, waitOptions).toContain("taken on")
  const [callbackUrl = ""] = /http:\S+/.exec(receiver.printed()) ?? []
  const { id } = JSON.parse(await (await submit(callbackUrl)).text())
  await expect
    .poll(receiver.printed, { ...waitOptions, timeout: 240_000 })
    .toContain(`video.generation.completed: ${id}`)
})

test("rejects a signature that is an hour old, or of another id or body", () => {
  const secret = `whsec_${Buffer.from("a secret of no importance").toString("base64")}`
  const headers = {
    "webhook-id": "job-completed",
    "webhook-timestamp": "1767225600",
    "webhook-signature": "v1,unknown v1,BjAjCfl5WKTIRynvqFG6pkbxaJwtDCsE+bMepHV4jgw="
  }
  const now = 1_767_225_600_000
  expect(isSigned(secret, headers, "{}", now)).toBe(true)
  expect(isSigned(secret, headers, "{}", now + 3_600_000)).toBe(false)
  expect(isSigned(secret, headers, "{ }", now)).toBe(false)
  expect(isSigned(secret, { ...headers, "webhook-id": "other" }, "{}", now)).toBe(false)
  expect(isSigned(secret, { ...headers, "webhook-signature": "v1," }, "{}", now)).toBe(false)
  expect(isSigned(secret, {}, "{}", now)).toBe(false)
})

test("the webhooks guide names the addresses of the server that npm start runs", async () => {
  const { root } = await startServer("1")
  const document = readFileSync(
    join(import.meta.dirname, "../../../docs/guides/webhooks.md"),
    "utf8"
  )
  const paths = Array.from(
    document.matchAll(/http:\/\/127\.0\.0\.1:3000(\/\S+)/g),
    ([, path]) => path
  )
  expect(paths).toHaveLength(2)
  for (const path of paths) {
    const { status } = await fetch(new URL(path ?? "", root), { method: "POST" })
    // 401 shows that Signalbox serves the path.
    expect([path, status]).toEqual([path, 401])
  }
})

test("the receiver rejects an invalid secret at its start", async () => {
  const receiver = await startExampleServer("receiver", {
    PORT: "0",
    WEBHOOK_SECRET: "<!DOCTYPE html>"
  })
  onTestFinished(() => receiver.kill("SIGKILL"))
  expect(await receiver.exited).toBe(1)
  expect(receiver.printed()).toContain("set WEBHOOK_SECRET")
})
