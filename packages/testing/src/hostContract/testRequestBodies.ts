/** Tests bodies: read by the host's parser or not, small, empty, at the limit. */
import { Agent } from "node:http"
import { deflateSync, gzipSync } from "node:zlib"
import { describe, expect, it, onTestFinished } from "vitest"
import { send } from "./client.ts"
import type { HostContractOptions, MakeHarness } from "./HostHarness.ts"
import { listParserCases } from "./listParserCases.ts"
import {
  managementKey,
  postDecision,
  parseError,
  makeRequest,
  mountInstance,
  parseYes
} from "./mountInstance.ts"

const limit = 1_048_576

/** A Decision request of exactly this many bytes. */
const makeRequestOfBytes = (bytes: number): string => {
  const frame = makeRequest({ yes: 0.75, padding: "" })
  return makeRequest({ yes: 0.75, padding: "x".repeat(bytes - Buffer.byteLength(frame)) })
}

export const testRequestBodies = (
  makeHarness: MakeHarness,
  { closesUnreadRequests = false, dropsStalledRequests = false, parsers = [] }: HostContractOptions
): void => {
  const settings = listParserCases(parsers)
  describe.each(settings)("%s", (_name, parser) => {
    const mounts = ["/ai"] as const

    it("reads JSON with any parameters in its content type", async () => {
      const server = await mountInstance(makeHarness, { parser, mounts })
      const body = makeRequest({ yes: 0.25, text: "naïve 🐂" })
      for (const type of ["application/json; charset=utf-8", "Application/JSON"]) {
        const headers = { "content-type": type }
        expect(parseYes(await postDecision(server, body, { headers }))).toBe(0.25)
        expect(parseYes(await postDecision(server, body, { headers, chunked: true }))).toBe(0.25)
      }
    })

    it("rejects an empty body", async () => {
      const server = await mountInstance(makeHarness, { parser, mounts })
      expect(parseError(await postDecision(server, ""))).toBe(400)
    })

    it("accepts a body of exactly 1 MiB, and rejects one more byte", async () => {
      const server = await mountInstance(makeHarness, { parser, mounts })
      for (const chunked of [false, true]) {
        expect(parseYes(await postDecision(server, makeRequestOfBytes(limit), { chunked }))).toBe(
          0.75
        )
        expect(
          parseError(await postDecision(server, makeRequestOfBytes(limit + 1), { chunked }))
        ).toBe(413)
      }
    })

    it("leaves a body of 300 kB to the host's route", async () => {
      const { url } = await mountInstance(makeHarness, { parser, mounts })
      const body = JSON.stringify({ text: "x".repeat(300_000) })
      const headers = { "content-type": "application/json" }
      const answer = await send(`${url}/own`, { method: "POST", body, headers })
      expect(answer.status).toBe(200)
      expect(answer.text).toBe(body)
    })
  })

  it("rejects a body that is not JSON", async () => {
    const server = await mountInstance(makeHarness)
    expect(parseError(await postDecision(server, "{"))).toBe(400)
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "json", ""]) {
      const headers = { "content-type": type }
      expect(parseError(await postDecision(server, makeRequest({}), { headers }))).toBe(400)
    }
  })

  describe.each([
    ["gzip", gzipSync],
    ["deflate", deflateSync]
  ] as const)("compressed by %s", (coding, pack) => {
    const headers = { "content-encoding": coding }

    it("is read", async () => {
      const server = await mountInstance(makeHarness, { mounts: ["/ai"] })
      const body = pack(makeRequest({ yes: 0.25, padding: "x".repeat(500_000) }))
      for (const chunked of [false, true]) {
        expect(parseYes(await postDecision(server, body, { headers, chunked }))).toBe(0.25)
      }
    })

    it("is rejected if it is too large or corrupt, and the next request works", async () => {
      const server = await mountInstance(makeHarness)
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      onTestFinished(() => agent.destroy())
      const packed = pack(makeRequest({ yes: 1 }))
      for (const [body, status] of [
        [pack(Buffer.alloc(64 * limit, " ")), 413],
        [packed.subarray(0, -9), 400],
        [Buffer.from("something else"), 400]
      ] as const) {
        for (const chunked of [false, true]) {
          const answer = await postDecision(server, body, { agent, headers, chunked })
          expect(parseError(answer)).toBe(status)
          expect(parseYes(await postDecision(server, packed, { agent, headers }))).toBe(1)
        }
      }
    })
  })

  it("rejects an unknown compression, and lists the supported ones", async () => {
    const server = await mountInstance(makeHarness)
    const answer = await postDecision(server, "{}", { headers: { "content-encoding": "zstd" } })
    expect(parseError(answer)).toBe(415)
    expect(answer.headers["accept-encoding"]).toMatch(/^gzip, deflate/)
  })

  it("rejects a stalled body", async () => {
    const server = await mountInstance(makeHarness, {
      settings: { requestBodyIdleTimeoutMillis: 20 }
    })
    const headers = { "content-length": "100" }
    const answered = postDecision(server, "", { headers, withheld: true })
    const outcome = await answered.then(parseError, ({ message }: Error) => message)
    expect(outcome).toBe(dropsStalledRequests ? "socket hang up" : 408)
  })

  it("rejects a too large Content-Length before the body is sent", async () => {
    const server = await mountInstance(makeHarness)
    const headers = { "content-length": "17000000" }
    expect(parseError(await postDecision(server, "", { headers, withheld: true }))).toBe(413)
  })

  it("rejects a management key before the body is sent", async () => {
    const server = await mountInstance(makeHarness)
    const headers = { authorization: `Bearer ${managementKey}` }
    for (const chunked of [false, true]) {
      const sending = { headers, chunked, withheld: true }
      expect(parseError(await postDecision(server, makeRequest({}), sending))).toBe(403)
    }
  })

  it("reads a body after 100 Continue", async () => {
    const server = await mountInstance(makeHarness)
    const headers = { expect: "100-continue" }
    expect(parseYes(await postDecision(server, makeRequest({ yes: 1 }), { headers }))).toBe(1)
  })

  it("keeps the connection usable after an unread body", async () => {
    const server = await mountInstance(makeHarness)
    const agent = new Agent({ keepAlive: !closesUnreadRequests, maxSockets: 1 })
    onTestFinished(() => agent.destroy())
    const stranger = { agent, headers: { authorization: "Bearer nobody" } }
    for (const chunked of [false, true]) {
      for (const bytes of [1_000, 200_000, 2_000_000]) {
        const body = makeRequestOfBytes(bytes)
        expect(parseError(await postDecision(server, body, { ...stranger, chunked }))).toBe(401)
        expect(parseYes(await postDecision(server, makeRequest({ yes: 1 }), { agent }))).toBe(1)
      }
      const tooLarge = await postDecision(server, makeRequestOfBytes(2 * limit), { agent, chunked })
      expect(parseError(tooLarge)).toBe(413)
      expect(parseYes(await postDecision(server, makeRequest({ yes: 1 }), { agent }))).toBe(1)
    }
  })
}
