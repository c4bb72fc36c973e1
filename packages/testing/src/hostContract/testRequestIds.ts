/** Tests that every response has a request id. */
import { expect, it } from "vitest"
import { send, type SendOptions } from "./client.ts"
import type { HostContractOptions, MakeHarness } from "./HostHarness.ts"
import { memberKey, postDecision, parseError, makeRequest, mountInstance } from "./mountInstance.ts"

const header = "x-request-id"

export const testRequestIds = (
  makeHarness: MakeHarness,
  { malformedPathStatus }: HostContractOptions
): void => {
  it("are on every kind of response, and are those of the client", async () => {
    const server = await mountInstance(makeHarness, { mounts: ["/ai"] })
    const authorization = `Bearer ${memberKey}`
    const typed = { authorization, "content-type": "application/json" }
    const chat = (stream: boolean): SendOptions => ({
      method: "POST",
      headers: typed,
      body: JSON.stringify({
        model: "host/talk",
        stream,
        messages: [{ role: "user", content: "hello" }]
      })
    })
    const cases: ReadonlyArray<readonly [path: string, sending: SendOptions, status: number]> = [
      ["/api/v1/openapi.json", {}, 200],
      ["/api/v1/docs", { method: "HEAD" }, 200],
      ["/api/v1/models", { headers: { authorization } }, 200],
      ["/api/alpha/decisions", { ...chat(false), body: makeRequest({ yes: 1 }) }, 200],
      ["/api/v1/chat/completions", chat(false), 404],
      ["/api/v1/chat/completions", chat(true), 200],
      ["/api/v1/models", {}, 401],
      ["/api/v1/keys", { headers: { authorization } }, 403],
      ["/api/alpha/decisions", { ...chat(false), body: "{" }, 400],
      ["/api/v1/interns/nobody", { headers: { authorization } }, 404],
      ["/api/v1/nothing", {}, 404],
      ["/api/v1/%zz", {}, 400]
    ]
    for (const [path, sending, status] of cases) {
      if (malformedPathStatus !== undefined && path.includes("%")) continue
      const id = `client-1:${status}.a_b/c=`
      const sent = { ...sending, headers: { ...sending.headers, [header]: id } }
      const named = await send(server.url + path, sent)
      expect([path, named.status, named.headers[header]]).toEqual([path, status, id])
      const unnamed = await send(server.url + path, sending)
      expect([path, unnamed.status]).toEqual([path, status])
      expect(unnamed.headers[header]).toMatch(/^req-[\w-]{36}$/)
    }
  })

  it("replace invalid ids", async () => {
    const { url } = await mountInstance(makeHarness)
    for (const id of ["", "a b", "x".repeat(129), "<script>", '"', "a,b", "é"]) {
      const { headers } = await send(`${url}/api/v1/openapi.json`, { headers: { [header]: id } })
      expect([id, headers[header]]).toEqual([id, expect.stringMatching(/^req-[\w-]{36}$/)])
    }
  })

  it("are on responses of a closing instance", async () => {
    const server = await mountInstance(makeHarness)
    await server.instance.close()
    const answer = await postDecision(server, makeRequest({}), { headers: { [header]: "last" } })
    expect([parseError(answer), answer.headers[header]]).toEqual([503, "last"])
  })
}
