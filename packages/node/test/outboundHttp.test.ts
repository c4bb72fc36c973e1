import { Settings } from "@signalbox/core"
import { OutboundHttp } from "@signalbox/core/adapter"
import type { ResolveName } from "@signalbox/core/adapter"
import { listen } from "@signalbox/testing/contracts"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import { once } from "node:events"
import { createServer, type RequestListener } from "node:http"
import { assert, describe, it, onTestFinished } from "vitest"
import { makeOutboundHttp, outboundHttp } from "../src/outboundHttp.ts"

/** A local server that counts connections. */
const startServer = async (respond: RequestListener) => {
  const server = createServer(respond)
  let connections = 0
  server.on("connection", () => void connections++)
  const { close, origin } = await listen(server)
  onTestFinished(close)
  return { origin, port: new URL(origin).port, server, connections: () => connections }
}

const respondOk: RequestListener = (_request, response) => void response.end("here")

/** Gives these answers in order, and then repeats the last one. */
const makeChangingDns = (...answers: ReadonlyArray<ReadonlyArray<string>>) => {
  let requested = 0
  const resolve: ResolveName = async (_name, family) => {
    const answer = answers[Math.min(Math.floor(requested++ / 2), answers.length - 1)] ?? []
    const found = answer.filter((text) => text.includes(":") === (family === 6))
    if (found.length === 0) throw new Error("ENODATA")
    return found
  }
  return { resolve, lookups: () => requested / 2 }
}

const makeGuardedHttp = ({ resolve }: ReturnType<typeof makeChangingDns>) =>
  Layer.effect(
    OutboundHttp,
    makeOutboundHttp({ allowPrivateNetworks: false, connectTimeoutMillis: 500 }, resolve)
  )

const openHttp = outboundHttp({ allowPrivateNetworks: true, connectTimeoutMillis: 500 })

/** The status, or the tag of the error that prevented the request. */
const get = (url: string, client: Layer.Layer<OutboundHttp>) =>
  OutboundHttp.use((http) => HttpClient.withScope(http).get(url)).pipe(
    Effect.map(({ status }): number | string => status),
    Effect.catch(({ cause }) =>
      Effect.succeed(cause instanceof Error ? cause.name : String(cause))
    ),
    Effect.scoped,
    Effect.provide(client)
  )

describe("outboundHttp", () => {
  it.each([
    ["loopback", ["127.0.0.1"]],
    ["loopback beside a public address", ["8.8.8.8", "127.0.0.1"]],
    ["loopback in IPv6", ["::1"]],
    ["loopback written as IPv6", ["::ffff:127.0.0.1"]],
    ["metadata", ["169.254.169.254"]],
    ["a private network", ["10.0.0.1"]]
  ])("does not connect to a name that resolves to %s", async (_, answer) => {
    const { connections, port } = await startServer(respondOk)
    const dns = makeChangingDns(answer)
    const result = await Effect.runPromise(
      get(`http://trap.example:${port}/`, makeGuardedHttp(dns))
    )
    assert.strictEqual(result, "NonPublicAddress")
    assert.strictEqual(connections(), 0)
  })

  it.each(["127.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "2130706433", "0x7f.1", "127.1"])(
    "does not connect to %s, without a lookup",
    async (host) => {
      const { connections, port } = await startServer(respondOk)
      const dns = makeChangingDns(["8.8.8.8"])
      const result = await Effect.runPromise(get(`http://${host}:${port}/`, makeGuardedHttp(dns)))
      assert.strictEqual(result, "NonPublicAddress")
      assert.strictEqual(connections(), 0)
    }
  )

  it("does not connect to a private address after DNS rebinding", async () => {
    const { connections, port } = await startServer(respondOk)
    // A public address that is not routed, so the connection fails.
    const dns = makeChangingDns(["192.31.196.255"], ["127.0.0.1"])
    const client = makeGuardedHttp(dns)
    const twice = Effect.gen(function* () {
      const http = HttpClient.withScope(yield* OutboundHttp)
      const ask = http.get(`http://rebinding.example:${port}/`).pipe(
        Effect.scoped,
        Effect.flip,
        Effect.map(({ cause }) => (cause instanceof Error ? cause.name : ""))
      )
      const first = yield* ask
      assert.strictEqual(dns.lookups(), 1)
      return [first, yield* ask]
    })
    const [first, second] = await Effect.runPromise(Effect.provide(twice, client))
    assert.notStrictEqual(first, "NonPublicAddress")
    assert.strictEqual(second, "NonPublicAddress")
    assert.strictEqual(dns.lookups(), 2)
    assert.strictEqual(connections(), 0)
  })

  it("fails with HostUnresolved for an unknown name", async () => {
    const dns = makeChangingDns([])
    assert.strictEqual(
      await Effect.runPromise(get("https://nowhere.example/", makeGuardedHttp(dns))),
      "HostUnresolved"
    )
  })

  it("connects to loopback if allowed, with a new connection for each request", async () => {
    const { connections, origin } = await startServer(respondOk)
    const both = Effect.all([get(origin, openHttp), get(origin, openHttp)])
    assert.deepStrictEqual(await Effect.runPromise(both), [200, 200])
    assert.strictEqual(connections(), 2)
  })

  it("does not follow redirects", async () => {
    const target = await startServer(respondOk)
    const { origin } = await startServer((_request, response) =>
      response.writeHead(302, { location: target.origin }).end()
    )
    assert.strictEqual(await Effect.runPromise(get(origin, openHttp)), 302)
    assert.strictEqual(target.connections(), 0)
  })

  it("closes the connection of an endless response", async () => {
    let sent = 0
    const { origin, server } = await startServer((_request, response) => {
      const chunk = Buffer.alloc(65_536)
      const pour = (): void => {
        while (!response.destroyed && response.write(chunk)) sent += chunk.length
        response.once("drain", pour)
      }
      pour()
    })
    const connected = once(server, "connection")
    assert.strictEqual(await Effect.runPromise(get(origin, openHttp)), 200)
    const [socket] = await connected
    if (!socket.destroyed) await new Promise((closed) => socket.once("close", closed))
    assert.isBelow(sent, 16_777_216)
  })

  it("rejects private addresses by default", () => {
    assert.isFalse(Effect.runSync(Settings).allowPrivateNetworks)
  })
})
