/** Pages of other sites neither change nor spend as a user that `authenticate` knows. */
import type { Options } from "@signalbox/core"
import { type Operation, operations } from "@signalbox/core/adapter"
import { expect, test } from "vitest"
import { parseErrorEnvelope } from "../support/HttpResponse.ts"
import { pickHosts } from "../support/pickHosts.ts"
import { send } from "../support/send.ts"
import { keys, TestServer } from "../support/TestServer.ts"

const authenticate: NonNullable<Options["authenticate"]> = ({ headers }) =>
  headers["cookie"] === "session=ada" ? { user: "ada", canManage: true } : undefined

/** An exchange acts for no user that a browser may name: what counts is the code and its verifier. */
const exchange = "/api/v1/auth/keys"

const changing = operations.filter(({ method, path }) => method !== "GET" && path !== exchange)

const call = (server: TestServer, { method, path }: Operation, headers: object) =>
  send(server.root + path.replaceAll(/:\w+/g, "x"), {
    method,
    headers: { "content-type": "application/json", ...headers },
    body: method === "DELETE" ? undefined : "{}"
  })

const foreign = { cookie: "session=ada", origin: "https://evil.example" }

test("every operation that is no GET has a caller, except the exchange of a code", () => {
  expect(changing.length).toBeGreaterThan(50)
  expect(changing.filter(({ requiredCaller }) => requiredCaller === "anyone")).toEqual([])
})

test.each(pickHosts(import.meta.filename))(
  "every operation that changes or spends is refused to pages of other sites on $name",
  async (host) => {
    await using server = await TestServer.start({ host, mount: "/ai", authenticate })
    for (const operation of changing) {
      const refused = await call(server, operation, foreign)
      expect([operation.path, refused.status, refused.text]).toEqual([
        operation.path,
        403,
        expect.stringContaining("A page of the origin https://evil.example sent this request")
      ])
    }
    expect(server.calls).toEqual({ first: 0, second: 0 })
  }
)

test("the error of a message has the envelope of Anthropic's API", async () => {
  await using server = await TestServer.start({ authenticate })
  const { body, status } = await send(`${server.root}/api/v1/messages`, {
    headers: { ...foreign, "content-type": "application/json" },
    body: "{}"
  })
  expect([status, body]).toEqual([
    403,
    expect.objectContaining({
      type: "error",
      error: expect.objectContaining({ type: "permission_error" })
    })
  ])
})

test("an origin that is no address is not repeated", async () => {
  await using server = await TestServer.start({ authenticate })
  const answer = await send(`${server.root}/api/v1/chat/completions`, {
    headers: {
      ...foreign,
      origin: "<script>alert(1)</script>",
      "content-type": "application/json"
    },
    body: "{}"
  })
  expect(parseErrorEnvelope(answer).message).toBe(
    "A page of another origin sent this request, with neither a key nor a token. Send one in Authorization. " +
      "If the page is yours, the application lists its origin in settings.trustedOrigins"
  )
})

test("a page of another site did what needs no body as the user of a proxy that passes no cookies", async () => {
  const user = "x-forwarded-user"
  await using server = await TestServer.start({
    authenticate: ({ headers }) =>
      headers[user] === "ada" ? { user: "ada", canManage: true } : undefined
  })
  const suspend = (headers: Readonly<Record<string, string>>) =>
    send(`${server.root}/api/v1/signalbox/customers/acme/suspend`, {
      headers: { [user]: "ada", ...headers }
    })
  expect((await suspend({ origin: "https://evil.example" })).status).toBe(403)
  expect((await suspend({})).status).toBe(404)
})

test("keys and tokens are read before origins", async () => {
  await using server = await TestServer.start({ authenticate })
  const { status } = await server.ask(undefined, { key: keys.member, headers: foreign })
  expect(status).toBe(200)
  const unknown = await server.ask(undefined, {
    key: "",
    headers: { origin: "https://evil.example", cookie: "theme=dark" }
  })
  expect(unknown.status).toBe(401)
})
