/** Tests chats with interns, with the public client and at hostnames. */
import { type Caller, hostCaller, UserId } from "@signalbox/core"
import type { InternResponse } from "@signalbox/core/contract"
import { expect, it, vi } from "vitest"
import { send } from "./client.ts"
import type { HostContractOptions, MakeHarness } from "./HostHarness.ts"
import { listParserCases } from "./listParserCases.ts"
import { memberKey, mountInstance, type MountedInstance } from "./mountInstance.ts"
import { internDomain } from "./fakeChat.ts"

/** The public client, without retries. */
const makeClient = async ({ url }: MountedInstance) => {
  // Imported on demand, because only these suites need the optional peer dependency.
  const { OpenRouter } = await import("@openrouter/sdk")
  const { interns } = new OpenRouter({
    apiKey: memberKey,
    serverURL: `${url}/api/v1`,
    retryConfig: { strategy: "none" },
    timeoutMs: 20_000
  })
  return interns
}

const creator: Caller = { ...hostCaller, kind: "member", user: UserId.make("mem-1") }

/** A running intern in the workspace of the member's key. */
export const createRunningIntern = async ({
  instance
}: MountedInstance): Promise<InternResponse> => {
  const intern = await instance.interns.create({ name: "ada" }, { caller: creator })
  await instance.interns.update({ internId: intern.id, model: "host/talk" })
  await instance.interns.provision({ internId: intern.id })
  return vi.waitFor(
    async () => {
      const now = await instance.interns.get({ internId: intern.id })
      expect(now.status).toBe("running")
      return now
    },
    { timeout: 60_000 }
  )
}

const sendChat = async (server: MountedInstance, internId: string, content: string) => {
  const client = await makeClient(server)
  const { result } = await client.chat({
    internId,
    internChatCompletionRequest: { messages: [{ role: "user", content }], stream: true }
  })
  if (!(Symbol.asyncIterator in result)) throw new Error("the answer was not streamed")
  return result
}

const sendToHostname = ({ url }: MountedInstance, hostname: string, path: string) =>
  send(url + path, {
    method: "POST",
    headers: {
      host: hostname,
      authorization: `Bearer ${memberKey}`,
      "content-type": "application/json"
    },
    body: JSON.stringify({ messages: [{ role: "user", content: "so it is" }], stream: true })
  })

export const testInternChats = (
  makeHarness: MakeHarness,
  { parsers = [] }: HostContractOptions
): void => {
  const mounts = ["/ai"] as const
  const settings = listParserCases(parsers, ["before"])

  it.each(settings)("are streamed %s", async (_name, parser) => {
    const server = await mountInstance(makeHarness, { mounts, parser })
    const { id } = await createRunningIntern(server)
    const chunks = []
    for await (const chunk of await sendChat(server, id, "so it is")) chunks.push(chunk)
    const choices = chunks.map(({ choices: [choice] }) => choice)
    expect(choices.map((choice) => choice?.delta.content)).toEqual([
      undefined,
      "so ",
      "it ",
      "is",
      undefined,
      undefined
    ])
    expect([choices[0]?.delta.role, choices[4]?.finishReason]).toEqual(["assistant", "stop"])
    expect(chunks[5]).toMatchObject({
      choices: [],
      sessionId: expect.any(String),
      usage: { promptTokens: 3, completionTokens: 2, totalTokens: 5 }
    })
  })

  it("end if the client disconnects", async () => {
    const server = await mountInstance(makeHarness, { mounts })
    const { id } = await createRunningIntern(server)
    for await (const { choices } of await sendChat(server, id, "wait")) {
      if (choices[0]?.delta.content === "Yes.") break
    }
    // `close` waits for running requests.
    await server.instance.close()
    expect(await makeClient(server)).toBeDefined()
  })

  it("fail with errors that the client decodes", async () => {
    const server = await mountInstance(makeHarness, { mounts })
    await expect(sendChat(server, "intern_0123456789abcdefghij", "so")).rejects.toMatchObject({
      name: "InternChatErrorResponse",
      statusCode: 404,
      error: { code: 404, metadata: { reason: "not_found", retryable: false } }
    })
  })

  it("work at hostnames, below the mount", async () => {
    const server = await mountInstance(makeHarness, { mounts })
    const { hostname } = await createRunningIntern(server)
    const path = "/api/v1/chat/completions"
    const answer = await sendToHostname(server, `${hostname?.toUpperCase()}:80`, path)
    expect([answer.status, answer.text.endsWith("data: [DONE]\n\n")]).toEqual([200, true])
    const unknown = await sendToHostname(server, `eve.${internDomain}`, path)
    expect([unknown.status, JSON.parse(unknown.text).error.metadata]).toEqual([
      404,
      { reason: "not_found", retryable: false }
    ])
    // On any other hostname a chat needs a model.
    const other = await sendToHostname(server, internDomain, path)
    expect([other.status, JSON.parse(other.text).error.metadata?.reason]).toEqual([400, undefined])
  })
}
