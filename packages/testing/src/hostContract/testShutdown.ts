/** Tests what `close` means for running requests, later requests, and the process. */
import { expect, it } from "vitest"
import { send } from "./client.ts"
import type { MakeHarness } from "./HostHarness.ts"
import { makeBlockingDecide } from "./fakeDecisions.ts"
import { createRunningIntern } from "./testInternChats.ts"
import {
  memberKey,
  parseError,
  parseYes,
  postDecision,
  makeRequest,
  mountInstance,
  type MountedInstance
} from "./mountInstance.ts"

const countProcessListeners = () =>
  process.eventNames().map((name) => [name, process.listenerCount(name)] as const)

/** Closes the instance during an endless answer, and returns its error. */
const closeDuringStream = async ({ instance }: MountedInstance, url: string) => {
  const answer = await fetch(url, {
    method: "POST",
    headers: { authorization: `Bearer ${memberKey}`, "content-type": "application/json" },
    body: JSON.stringify({
      model: "host/talk",
      stream: true,
      messages: [{ role: "user", content: "wait" }]
    })
  })
  let text = ""
  let closed: Promise<void> | undefined
  const decoder = new TextDecoder()
  for await (const bytes of answer.body ?? []) {
    text += decoder.decode(bytes, { stream: true })
    if (text.includes("Yes.")) closed ??= instance.close()
  }
  expect(text).toContain("Yes.")
  return { closed, text }
}

const parseEvents = (text: string): ReadonlyArray<unknown> =>
  Array.from(text.matchAll(/^data: (\{.*)$/gm), ([, event = ""]) => JSON.parse(event))

export const testShutdown = (makeHarness: MakeHarness): void => {
  it("finishes running requests, rejects new ones, then closes", async () => {
    const { called, decide, release } = makeBlockingDecide()
    const server = await mountInstance(makeHarness, { decide, mounts: ["/ai"] })
    const slow = postDecision(server, makeRequest({ yes: 0.75 }))
    await called

    let isClosed = false
    const closed = server.instance.close().then(() => (isClosed = true))
    const late = await postDecision(server, makeRequest({}))
    expect(parseError(late)).toBe(503)
    expect(late.headers["retry-after"]).toBe("1")
    expect(isClosed).toBe(false)

    release()
    expect(parseYes(await slow)).toBe(0.75)
    await closed
  })

  it("interrupts remaining requests at the drain timeout with 503", async () => {
    const { called, decide, interrupted } = makeBlockingDecide()
    const server = await mountInstance(makeHarness, {
      decide,
      settings: { drainTimeoutMillis: 20 }
    })
    const slow = postDecision(server, makeRequest({}))
    await called
    await server.instance.close()
    await interrupted
    expect(parseError(await slow)).toBe(503)
  })

  it("ends a streamed chat with an error chunk at the drain timeout", async () => {
    const server = await mountInstance(makeHarness, { settings: { drainTimeoutMillis: 20 } })
    const { closed, text } = await closeDuringStream(
      server,
      `${server.url}/api/v1/chat/completions`
    )
    expect(parseEvents(text).at(-1)).toMatchObject({
      object: "chat.completion.chunk",
      error: { code: 503, metadata: { availability: { code: "draining", retryable: true } } },
      choices: [{ finish_reason: "error" }]
    })
    expect(text).not.toContain("[DONE]")
    await closed
  })

  it("ends a chat with an intern with an error chunk at the drain timeout", async () => {
    const server = await mountInstance(makeHarness, { settings: { drainTimeoutMillis: 20 } })
    const { id } = await createRunningIntern(server)
    const url = `${server.url}/api/v1/interns/${id}/chat/completions`
    const { closed, text } = await closeDuringStream(server, url)
    expect(parseEvents(text).slice(-2)).toMatchObject([
      {
        object: "chat.completion.chunk",
        error: { code: 503, metadata: { reason: "busy", retryable: true } },
        choices: [{ finish_reason: "error" }]
      },
      { choices: [], session_id: expect.any(String), usage: null }
    ])
    expect(text.endsWith("data: [DONE]\n\n")).toBe(true)
    await closed
  })

  it("reports ready until it drains, and live after that", async () => {
    const server = await mountInstance(makeHarness, { mounts: ["/ai"] })
    const probe = async (name: string) => {
      const answer = await send(`${server.url}/api/v1/signalbox/${name}`)
      return [answer.status, answer.status === 200 ? JSON.parse(answer.text) : parseError(answer)]
    }
    const alive = [200, { status: "live" }]
    expect([await probe("ready"), await probe("live")]).toEqual([[200, { status: "ready" }], alive])
    server.instance.drain()
    expect([await probe("ready"), await probe("live")]).toEqual([[503, 503], alive])
    expect((await server.instance.health()).status).toBe("draining")
    // Requests are served until the load balancer has noticed.
    expect(parseYes(await postDecision(server, makeRequest({ yes: 0.75 })))).toBe(0.75)
    await server.instance.close()
    expect([await probe("ready"), await probe("live")]).toEqual([[503, 503], alive])
  })

  it("may be closed twice, and rejects all later requests", async () => {
    const server = await mountInstance(makeHarness)
    await Promise.all([server.instance.close(), server.instance.close()])
    await server.instance.close()
    expect(parseError(await postDecision(server, makeRequest({})))).toBe(503)
    expect(parseError(await send(`${server.url}/api/v1/openapi.json`))).toBe(503)
    expect(await send(`${server.url}/nothing`)).toMatchObject({ status: 404 })
  })

  it("adds no listener to the process", async () => {
    const before = countProcessListeners()
    const server = await mountInstance(makeHarness)
    expect(parseYes(await postDecision(server, makeRequest({ yes: 1 })))).toBe(1)
    expect(countProcessListeners()).toEqual(before)
    await server.instance.close()
    expect(countProcessListeners()).toEqual(before)
  })
}
