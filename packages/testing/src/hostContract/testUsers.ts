/** Tests that the application's own users are known by its own request, and that pages of other sites cannot act for them. */
import type { Authenticate } from "@signalbox/core"
import { expect, it } from "vitest"
import { send } from "./client.ts"
import type { HostContractOptions, MakeHarness } from "./HostHarness.ts"
import {
  makeRequest,
  mountInstance,
  type MountedInstance,
  parseError,
  postDecision
} from "./mountInstance.ts"

const findHeader = (source: unknown): unknown => Object(source).headers.get("x-user")

/** A session that the application finds by a cookie. */
const authenticateCookie: Authenticate = ({ headers }) =>
  headers["cookie"] === "session=ada" ? { user: "ada", canManage: true } : undefined

const cookie = "session=ada"
const mounts = ["/ai"] as const

/** What a browser says of a request that it sends for a page of another site. */
const foreign: ReadonlyArray<Readonly<Record<string, string>>> = [
  { "sec-fetch-site": "cross-site" },
  { "sec-fetch-site": "same-site" },
  { "sec-fetch-site": "cross-site", origin: "https://evil.example" },
  { origin: "https://evil.example" },
  { origin: "null" }
]

/** A Decision of the session, without a key. */
const decide = (
  server: MountedInstance,
  headers: Readonly<Record<string, string>>,
  body = makeRequest({ yes: 1 })
) =>
  send(`${server.url}/api/alpha/decisions`, {
    method: "POST",
    body,
    headers: { cookie, "content-type": "application/json", ...headers }
  })

const mountTrusting = (makeHarness: MakeHarness, origin: string): Promise<MountedInstance> =>
  mountInstance(makeHarness, {
    mounts,
    authenticate: authenticateCookie,
    settings: { trustedOrigins: [origin] }
  })

export const testUsers = (
  makeHarness: MakeHarness,
  { findUser = findHeader, refusesForeignForms = false }: HostContractOptions
): void => {
  it("are found in the host's own request", async () => {
    const sources: Array<unknown> = []
    const server = await mountInstance(makeHarness, {
      mounts,
      authenticate: ({ source }) => {
        sources.push(source)
        const user = findUser(source)
        return typeof user === "string" ? { user } : undefined
      }
    })
    const headers = { "x-user": "grace" }
    const { status, text } = await send(`${server.url}/api/v1/key`, { headers })
    expect([status, JSON.parse(text).data?.creator_user_id]).toEqual([200, "grace"])
    expect(parseError(await send(`${server.url}/api/v1/key`))).toBe(401)
    const body = makeRequest({ yes: 0.25 })
    expect((await decide(server, headers, body)).status).toBe(200)
    expect((await postDecision(server, body)).status).toBe(200)
    expect(new Set(sources).size).toBe(4)
  })

  it("act by their own pages, and by clients other than browsers", async () => {
    const server = await mountInstance(makeHarness, { mounts, authenticate: authenticateCookie })
    for (const headers of [
      {},
      { "sec-fetch-site": "same-origin" },
      { "sec-fetch-site": "same-origin", origin: server.origin },
      { "sec-fetch-site": "none" },
      { origin: server.origin }
    ] as ReadonlyArray<Readonly<Record<string, string>>>) {
      expect([headers, (await decide(server, headers)).status]).toEqual([headers, 200])
    }
  })

  it("do not act by pages of other sites", async () => {
    const server = await mountInstance(makeHarness, { mounts, authenticate: authenticateCookie })
    for (const headers of foreign) {
      const refused = await decide(server, headers)
      expect([headers, parseError(refused)]).toEqual([headers, 403])
      expect(JSON.parse(refused.text).error).toMatchObject({
        message: expect.stringContaining("settings.trustedOrigins"),
        metadata: { reason: "cross_origin" }
      })
      const gone = await send(`${server.url}/api/v1/keys/${"0".repeat(64)}`, {
        method: "DELETE",
        headers: { cookie, ...headers }
      })
      expect([headers, parseError(gone)]).toEqual([headers, 403])
      const read = await send(`${server.url}/api/v1/key`, { headers: { cookie, ...headers } })
      expect([headers, read.status]).toEqual([headers, 200])
      const withKey = await postDecision(server, makeRequest({ yes: 1 }), {
        headers: { cookie, ...headers }
      })
      expect([headers, withKey.status]).toEqual([headers, 200])
    }
  })

  it.each(["application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain"])(
    "do not act by forms of other sites of the type %s",
    async (type) => {
      const server = await mountInstance(makeHarness, { mounts, authenticate: authenticateCookie })
      for (const headers of foreign) {
        const refused = await decide(server, { ...headers, "content-type": type })
        const code = refusesForeignForms ? refused.status : parseError(refused)
        expect([headers, code]).toEqual([headers, 403])
      }
      if (refusesForeignForms) return
      const own = await decide(server, { "sec-fetch-site": "same-origin", "content-type": type })
      expect(parseError(own)).toBe(400)
    }
  )

  it("act by pages of origins that the host trusts", async () => {
    const origin = "https://app.example"
    const trusting = await mountTrusting(makeHarness, "HTTPS://App.example:443")
    const open = await mountTrusting(makeHarness, "*")
    for (const headers of [{ origin }, { origin, "sec-fetch-site": "cross-site" }]) {
      expect((await decide(trusting, headers)).status).toBe(200)
      expect((await decide(open, { ...headers, origin: "https://evil.example" })).status).toBe(200)
    }
    expect(parseError(await decide(trusting, { origin: "http://app.example" }))).toBe(403)
    expect(parseError(await decide(trusting, { "sec-fetch-site": "cross-site" }))).toBe(403)
  })
}
