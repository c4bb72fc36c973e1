/** Tests which paths the instance answers, and which are left to the host. */
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { Respond } from "@signalbox/core/adapter"
import { describe, expect, it } from "vitest"
import { exchangeLines, send } from "./client.ts"
import type { HostContractOptions, MakeHarness, HostSetup } from "./HostHarness.ts"
import {
  managementKey,
  memberKey,
  postDecision,
  parseError,
  makeRequest,
  mountInstance,
  parseYes
} from "./mountInstance.ts"

const mountCases: ReadonlyArray<readonly [string, HostSetup["mounts"]]> = [
  ["at the root", []],
  ["under a prefix", ["/ai"]],
  ["in three nested routers", ["/outer", "/tenant-1", "/ai"]]
]

/** Answers with the path and the mount that the service sees. */
const echoRequest: Respond = ({ mount, url }) =>
  Effect.succeed(HttpServerResponse.jsonUnsafe({ url, mount }))

export const testMounting = (
  makeHarness: MakeHarness,
  { malformedPathStatus, normalizesUrls = false, rejectsInvalidHosts = false }: HostContractOptions
): void => {
  describe.each(mountCases)("%s", (_name, mounts) => {
    it("answers, and links in responses start with the mount", async () => {
      const server = await mountInstance(makeHarness, { mounts })
      expect(parseYes(await postDecision(server, makeRequest({ yes: 0.75 })))).toBe(0.75)
      const document = await send(`${server.url}/api/v1/openapi.json`)
      expect(JSON.parse(document.text)).toMatchObject({ servers: [{ url: server.mount || "/" }] })
    })

    it("sees the path below the mount, with query and escapes unchanged", async () => {
      const server = await mountInstance(makeHarness, { mounts, respond: echoRequest })
      const queries = ["", "?path=a%2Fb%20c&path=/d?e&%F0%9F%90%82=%zz", "?next=/ai/x"]
      for (const query of normalizesUrls ? ["", "?path=a%2Fb&next=%2Fai%2Fx"] : queries) {
        const { text } = await send(`${server.url}/api/v1/openapi.json${query}`)
        expect(JSON.parse(text)).toEqual({
          url: `/api/v1/openapi.json${query}`,
          mount: server.mount
        })
      }
    })

    it("leaves other requests to the host, including a body of 300 kB", async () => {
      const { url } = await mountInstance(makeHarness, { mounts })
      const body = JSON.stringify({ text: "ü".repeat(150_000) })
      for (const chunked of [false, true]) {
        const headers = { "content-type": "application/json" }
        const sending = { method: "POST", body, chunked, headers }
        const answer = await send(`${url}/own`, sending)
        expect(answer.status).toBe(200)
        expect(answer.text).toBe(body)
      }
    })

    it("answers unknown operations in the error envelope", async () => {
      const server = await mountInstance(makeHarness, { mounts })
      const name = "x".repeat(300)
      for (const [method, path] of [
        ["GET", "/api/v1"],
        ["GET", "/api/v1/"],
        ["GET", "/api/v1/nothing"],
        ["POST", "/api/v1/nothing/at/all?x=%zz"],
        ["DELETE", "/api/v1/models"],
        ["PUT", "/api/v1/chat/completions"],
        ["PATCH", `/api/v1/videos/${name}`],
        ["GET", "/api/v1/openapi.json;x=1"],
        ["GET", "/api/alpha/decisions"],
        ["POST", "/api/alpha/nothing"]
      ] as const) {
        if (normalizesUrls && path.endsWith("/")) continue
        const answer = await send(server.url + path, { method })
        expect([method, path, parseError(answer)]).toEqual([method, path, 404])
        const named = path.replace(/\?.*/, "")
        const shown = named.length > 200 ? `${named.slice(0, 200)}…` : named
        expect(JSON.parse(answer.text).error.message).toBe(`${method} ${shown} is not served here`)
        expect(answer.headers["x-host"]).toBe("here")
      }
      const headers = { authorization: `Bearer ${memberKey}` }
      const unknown = await send(`${server.url}/api/v1/videos/${name}`, { headers })
      expect(parseError(unknown)).toBe(404)
      expect((await send(`${server.url}/api/v2/models`)).headers["x-request-id"]).toBeUndefined()
    })

    it("answers a path that is not valid percent-encoding in the error envelope", async () => {
      const server = await mountInstance(makeHarness, { mounts })
      for (const path of ["/api/v1/%zz", "/api/v1/videos/%", "/api/v1/videos/%E0%A4%A?x=%41"]) {
        const answer = await send(server.url + path)
        const isByHost = malformedPathStatus !== undefined
        expect([path, isByHost ? answer.status : parseError(answer)]).toEqual([
          path,
          malformedPathStatus ?? 400
        ])
        expect(isByHost || answer.text.includes("percent-encoding")).toBe(true)
        expect(isByHost || answer.headers["x-host"] === "here").toBe(true)
      }
    })

    it("matches paths below the mount exactly, except for escapes", async () => {
      const { url } = await mountInstance(makeHarness, { mounts })
      for (const path of [
        "/api%2Fv1/openapi.json",
        "/api//v1/openapi.json",
        "/api/v1//openapi.json?x",
        "/api/v1/openapi.json/",
        "/api/v1/openapi.json//",
        "/api/v1/openapi.json/?x",
        "/API/v1/openapi.json",
        "/api/v1/OpenAPI.json",
        "/api/v1/openapi.json;x=1"
      ]) {
        const isRedirected = normalizesUrls && /\/(?:\/|$|\?)/.test(path)
        const { status } = await send(url + path)
        expect([path, status]).toEqual([path, isRedirected ? 308 : 404])
      }
      const answers = await Promise.all(
        ["/api/v1/openapi.json?x=//;/", "/api/v1/openapi%2Ejson"].map((path) => send(url + path))
      )
      expect(answers.map(({ status }) => status)).toEqual([200, 200])
    })
  })

  it("does not answer outside its mount", async () => {
    const { origin } = await mountInstance(makeHarness, { mounts: ["/ai"] })
    for (const path of ["", "/aix", "/x/ai", "/ai%2F"]) {
      expect(await send(`${origin}${path}/api/v1/openapi.json`)).toMatchObject({ status: 404 })
    }
  })

  it("answers HEAD where it answers GET, without a body", async () => {
    const { url } = await mountInstance(makeHarness, { mounts: ["/ai"] })
    const headers = { authorization: `Bearer ${managementKey}` }
    for (const path of ["/api/v1/openapi.json", "/api/v1/docs", "/api/v1/signalbox/health"]) {
      const [got, head] = await Promise.all([
        send(url + path, { headers }),
        send(url + path, { method: "HEAD", headers })
      ])
      expect(got.status).toBe(200)
      expect(head).toMatchObject({ status: 200, text: "" })
      expect(head.headers["content-type"]).toBe(got.headers["content-type"])
    }
  })

  it("keeps the headers of the host", async () => {
    const server = await mountInstance(makeHarness)
    const answers = await Promise.all([
      postDecision(server, makeRequest({ yes: 1 })),
      postDecision(server, "no JSON"),
      send(`${server.url}/api/v1/openapi.json`)
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 400, 200])
    for (const { headers } of answers) expect(headers["x-host"]).toBe("here")
  })

  it("answers every form of host header and request target", async () => {
    const { origin } = await mountInstance(makeHarness, { mounts: ["/ai"] })
    const path = "/ai/api/v1/openapi.json"
    for (const [target, host] of [
      [path, ""],
      [path, "%%%"],
      [path, "[::1"],
      [path, "a b:99999999"],
      [path, "evil.example/x?y#z"],
      [`${path}?%`, "localhost"],
      [`http://evil.example:1${path}`, "localhost"]
    ] as const) {
      if (normalizesUrls && target.startsWith("http")) continue
      const lines = [`GET ${target} HTTP/1.1`, `host: ${host}`, "connection: close"]
      const text = await exchangeLines(origin, lines)
      const mayBeRejected =
        rejectsInvalidHosts && (host !== "localhost" || target.startsWith("http"))
      expect(text).toMatch(mayBeRejected ? /^HTTP\/1\.1 (?:200|400|404) / : /^HTTP\/1\.1 200 /)
      expect(text).not.toContain("evil.example")
    }
  })
}
