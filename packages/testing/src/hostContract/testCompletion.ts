/** Tests how a request ends: answered, failed before or after the headers, or aborted by the client. */
import { once } from "node:events"
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Stream from "effect/Stream"
import { expect, it, onTestFinished, vi } from "vitest"
import { openSocket, send } from "./client.ts"
import type { MakeHarness } from "./HostHarness.ts"
import { makeBlockingDecide } from "./fakeDecisions.ts"
import {
  memberKey,
  postDecision,
  parseError,
  makeRequest,
  mountInstance,
  parseYes
} from "./mountInstance.ts"

const twoCookies = Effect.succeed(
  HttpServerResponse.text("two cookies").pipe(
    HttpServerResponse.setCookieUnsafe("first", "1"),
    HttpServerResponse.setCookieUnsafe("second", "2")
  )
)

/** Sends the beginning of a response, and fails at `moment`. */
const makeFailingStream = (phase: Promise<void>) => {
  const failure = Effect.andThen(
    Effect.promise(() => phase),
    Effect.die("no end")
  )
  const text = Stream.concat(Stream.make("the beginning"), Stream.fromEffect(failure))
  return Effect.succeed(HttpServerResponse.stream(Stream.encodeText(text)))
}

export const testCompletion = (makeHarness: MakeHarness): void => {
  it("gives each of many concurrent requests its own answer", async () => {
    const server = await mountInstance(makeHarness, { mounts: ["/ai"] })
    const chances = Array.from({ length: 20 }, (_, index) => index / 20)
    const responses = chances.map((yes) => postDecision(server, makeRequest({ yes })))
    for (const [index, answer] of (await Promise.all(responses)).entries()) {
      expect(parseYes(answer)).toBe(index / 20)
    }
  })

  it("sends two cookies as two headers", async () => {
    const { url } = await mountInstance(makeHarness, { respond: () => twoCookies })
    const { headers, text } = await send(`${url}/api/v1/openapi.json`)
    expect(text).toBe("two cookies")
    expect(headers["set-cookie"]).toEqual(["first=1", "second=2"])
  })

  it("answers a defect of an upstream with 502, and continues", async () => {
    const log = vi.spyOn(console, "log").mockImplementation(() => {})
    onTestFinished(() => log.mockRestore())
    const bugs = [Effect.die(new Error("a bug")), Effect.interrupt]
    const decide = () => bugs.shift() ?? Effect.die("no more")
    const server = await mountInstance(makeHarness, { decide })
    for (let count = 0; count < 3; count++) {
      const answer = await postDecision(server, makeRequest({}))
      expect(parseError(answer)).toBe(502)
      expect(answer.text).not.toContain("a bug")
    }
    expect(String(log.mock.calls)).toMatch(/a bug/)
    expect((await send(`${server.url}/api/v1/openapi.json`)).status).toBe(200)
  })

  it("closes the connection if a response fails in the middle, and continues", async () => {
    let phase = Promise.withResolvers<void>()
    const respond = () => makeFailingStream(phase.promise)
    const { url } = await mountInstance(makeHarness, { respond })
    for (let count = 0; count < 2; count++) {
      phase = Promise.withResolvers()
      const response = await fetch(`${url}/api/v1/openapi.json`)
      expect(response.status).toBe(200)
      const rest = response.text()
      phase.resolve()
      await expect(rest).rejects.toThrow("terminated")
    }
    // Some hosts have not sent the headers when the body fails at once, and answer with an error of theirs.
    const failedAtOnce = fetch(`${url}/api/v1/openapi.json`).then(async (response) =>
      response.text().then(() => response.status)
    )
    expect([undefined, 500]).toContain(await failedAtOnce.catch(() => undefined))
  })

  it("interrupts the upstream if the client disconnects", async () => {
    const { called, decide, interrupted } = makeBlockingDecide()
    const server = await mountInstance(makeHarness, { decide })
    const controller = new AbortController()
    const left = postDecision(server, makeRequest({}), { signal: controller.signal }).catch(
      (error: Error) => error.name
    )
    await called
    controller.abort()
    expect(await left).toBe("AbortError")
    await interrupted
    await server.instance.close()
  })

  it("ends a request whose client disconnects while it sends the body", async () => {
    const { instance, origin } = await mountInstance(makeHarness)
    const running = async () => (await instance.health()).running
    const socket = await openSocket(origin)
    socket.write(
      "POST /api/alpha/decisions HTTP/1.1\r\nhost: localhost\r\n" +
        `authorization: Bearer ${memberKey}\r\n` +
        'content-type: application/json\r\ncontent-length: 1000\r\n\r\n{"model":'
    )
    await vi.waitFor(async () => expect(await running()).toBe(1), { timeout: 60_000 })
    socket.destroy()
    await once(socket, "close")
    await instance.close()
    expect(await running()).toBe(0)
  })
}
