/** Tests every operation of interns with the public client, and bodies that must be rejected early. */
import { once } from "node:events"
import { defaultWorkspaceId, hostCaller as application, UserId } from "@signalbox/core"
import { expect, it, vi } from "vitest"
import { openSocket, send } from "./client.ts"
import type { HostContractOptions, MakeHarness } from "./HostHarness.ts"
import { listParserCases } from "./listParserCases.ts"
import { actingMemberKey, mountInstance, type MountedInstance } from "./mountInstance.ts"

/** The public client, without retries. */
const makeClient = async ({ url }: MountedInstance) => {
  // Imported on demand, because only these suites need the optional peer dependency.
  const { OpenRouter } = await import("@openrouter/sdk")
  const { interns } = new OpenRouter({
    apiKey: actingMemberKey,
    serverURL: `${url}/api/v1`,
    retryConfig: { strategy: "none" },
    timeoutMs: 20_000
  })
  return interns
}

type Client = Awaited<ReturnType<typeof makeClient>>

const create = (client: Client, name: string, idempotencyKey?: string) =>
  client.createIntern({
    ...(idempotencyKey === undefined ? undefined : { idempotencyKey }),
    createInternRequest: { name, workspaceId: defaultWorkspaceId }
  })

const waitForStatus = (client: Client, internId: string, status: string) =>
  vi.waitFor(
    async () => {
      const intern = await client.getIntern({ internId })
      expect(intern.status).toBe(status)
    },
    { timeout: 60_000 }
  )

const captureError = (requested: Promise<unknown>): Promise<unknown> =>
  requested.then(
    () => "succeeded",
    (error: unknown) => error
  )

const post = (
  { url }: MountedInstance,
  body: string,
  headers: Readonly<Record<string, string>> = {}
) =>
  send(`${url}/api/v1/interns`, {
    method: "POST",
    body,
    headers: {
      authorization: `Bearer ${actingMemberKey}`,
      "content-type": "application/json",
      ...headers
    }
  })

const getErrorCode = ({ text }: { readonly text: string }): unknown => JSON.parse(text).error?.code

export const testInterns = (
  makeHarness: MakeHarness,
  { dropsStalledRequests = false, parsers = [] }: HostContractOptions
): void => {
  const mounts = ["/ai"] as const
  const settings = listParserCases(parsers)

  it.each(settings)("are created, provisioned, listed and deleted %s", async (_name, parser) => {
    const server = await mountInstance(makeHarness, { mounts, parser })
    const client = await makeClient(server)
    const made = await create(client, "ada", "once")
    expect(made).toMatchObject({ name: "ada", status: "stopped", hostname: null, progress: null })
    expect(await create(client, "ada", "once")).toEqual(made)
    const internId = made.id
    const updated = await client.updateIntern({
      internId,
      updateInternRequest: { description: "d", model: "a/b" }
    })
    expect(updated).toMatchObject({ name: "ada", description: "d", model: "a/b" })
    expect(await client.provisionIntern({ internId })).toEqual({ provisioning: true })
    await waitForStatus(client, internId, "running")
    const other = await create(client, "eve")
    const page = await client.listInterns({ limit: 1, status: ["running", "stopped"] })
    expect(page).toMatchObject({ data: [{ id: other.id }], hasMore: true })
    const startingAfter = page.nextCursor
    if (startingAfter === undefined) throw new Error("there is no cursor")
    const rest = await client.listInterns({ startingAfter, workspaceId: defaultWorkspaceId })
    expect(rest).toMatchObject({ data: [{ id: internId, status: "running" }], hasMore: false })
    expect(await client.suspendIntern({ internId })).toEqual({ suspended: true })
    const deleted = await client.deleteIntern({
      internId: other.id,
      deleteInternRequest: { acknowledgeWorkspaceLoss: false }
    })
    expect(deleted).toEqual({ deleting: true })
    await vi.waitFor(
      async () => {
        const failure = await captureError(client.getIntern({ internId: other.id }))
        expect(failure).toMatchObject({ statusCode: 404, error: { code: "not_found" } })
      },
      { timeout: 60_000 }
    )
  })

  it("are created with 201 and repeated with 200, with the host's headers", async () => {
    const server = await mountInstance(makeHarness, { mounts })
    const body = JSON.stringify({ name: "ada", workspace_id: defaultWorkspaceId })
    const answers = [await post(server, body), await post(server, body)]
    expect(answers.map(({ status }) => status)).toEqual([201, 200])
    expect(answers.map(({ headers }) => headers["x-host"])).toEqual(["here", "here"])
  })

  it("reject an invalid content type", async () => {
    const server = await mountInstance(makeHarness, { mounts })
    for (const type of ["text/plain", "nonsense", "application/xml"]) {
      const answer = await post(server, "{}", { "content-type": type })
      expect([answer.status, getErrorCode(answer)]).toEqual([415, 415])
    }
  })

  it("reject a large body in their error envelope, with and without a length", async () => {
    const server = await mountInstance(makeHarness, { mounts })
    const body = JSON.stringify({ name: "x".repeat(1_048_577) })
    for (const chunked of [false, true]) {
      const answer = await send(`${server.url}/api/v1/interns`, {
        method: "POST",
        body,
        chunked,
        headers: { authorization: `Bearer ${actingMemberKey}`, "content-type": "application/json" }
      })
      expect([answer.status, getErrorCode(answer)]).toEqual([413, "payload_too_large"])
    }
  })

  it.each([
    ["declared", "content-length: 100"],
    ["in pieces", "transfer-encoding: chunked"]
  ])("do not wait for ever for a body that is %s", async (_name, framing) => {
    const settings = { internRequestTimeoutMillis: 200 }
    const { mount, origin } = await mountInstance(makeHarness, { mounts, settings })
    const socket = await openSocket(origin)
    let text = ""
    socket.setEncoding("utf8")
    socket.on("data", (chunk: string) => (text += chunk))
    const head = [
      `POST ${mount}/api/v1/interns HTTP/1.1`,
      "host: 127.0.0.1",
      `authorization: Bearer ${actingMemberKey}`,
      "content-type: application/json",
      framing
    ]
    socket.write(`${head.join("\r\n")}\r\n\r\n`)
    await (dropsStalledRequests
      ? once(socket, "close")
      : vi.waitUntil(() => text.includes("\r\n\r\n"), { timeout: 60_000 }))
    socket.destroy()
    expect(text).toMatch(dropsStalledRequests ? /^$/ : /^HTTP\/1.1 408 [^]*"code":408/)
  })

  it("are the same in process", async () => {
    const server = await mountInstance(makeHarness, { mounts })
    const caller = { ...application, user: UserId.make("mem-host") }
    const intern = await server.instance.interns.create({ name: "ada" }, { caller })
    const client = await makeClient(server)
    expect(await client.getIntern({ internId: intern.id })).toMatchObject({
      id: intern.id,
      workspaceId: defaultWorkspaceId
    })
  })

  it("are rejected in their error envelope while the instance closes", async () => {
    const server = await mountInstance(makeHarness, { mounts })
    await server.instance.close()
    const answer = await post(server, "{}")
    expect([answer.status, getErrorCode(answer)]).toEqual([500, "internal_error"])
  })
}
