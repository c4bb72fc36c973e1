/** Tests that events arrive while their stream is open, also behind middleware that compresses responses. */
import { expect, it } from "vitest"
import type { HostContractOptions, MakeHarness } from "./HostHarness.ts"
import { managementKey, memberKey, mountInstance, type MountedInstance } from "./mountInstance.ts"
import { createRunningIntern } from "./testInternChats.ts"

/** A stream that never ends: the model stalls after "Yes.", and endpoints are watched forever. */
interface OpenStream {
  readonly path: string
  readonly key: string
  readonly body?: object
  /** In the first events. */
  readonly text: string
}

const messages = [{ role: "user", content: "wait" }]
const model = "host/talk"
const stream = true

const streams: ReadonlyArray<
  readonly [string, (server: MountedInstance) => OpenStream | Promise<OpenStream>]
> = [
  ["a chat", () => makeChat("/api/v1/chat/completions", { model, messages, stream })],
  ["a message", () => makeChat("/api/v1/messages", { model, max_tokens: 9, messages, stream })],
  ["a response", () => makeChat("/api/v1/responses", { model, input: "wait", stream })],
  [
    "a chat with an intern",
    async (server) => {
      const { id } = await createRunningIntern(server)
      return makeChat(`/api/v1/interns/${id}/chat/completions`, { messages, stream })
    }
  ],
  [
    "live endpoints",
    () => ({
      path: "/api/v1/signalbox/endpoints/events",
      key: managementKey,
      text: "host/talk"
    })
  ]
]

const makeChat = (path: string, body: object): OpenStream => ({
  path,
  key: memberKey,
  body,
  text: "Yes."
})

export const testEventStreams = (
  makeHarness: MakeHarness,
  { compression = false }: HostContractOptions
): void => {
  const acceptEncoding = { "accept-encoding": "gzip, deflate" }
  const cases = [false, ...(compression ? [true] : [])].flatMap((compress) =>
    streams.map(
      ([name, open]) => [name, compress ? "behind compression" : "", compress, open] as const
    )
  )

  it.each(cases)("has the first events of %s before its end %s", async (_, __, compress, open) => {
    const server = await mountInstance(makeHarness, { mounts: ["/ai"], compress })
    const { body, key, path, text } = await open(server)
    const controller = new AbortController()
    const { headers, body: events } = await fetch(server.url + path, {
      method: body === undefined ? "GET" : "POST",
      headers: {
        ...acceptEncoding,
        authorization: `Bearer ${key}`,
        "content-type": "application/json"
      },
      signal: controller.signal,
      ...(body === undefined ? undefined : { body: JSON.stringify(body) })
    })
    expect(headers.get("content-type")).toMatch(/^text\/event-stream/)
    expect(headers.get("cache-control")).toBe("no-cache, no-transform")
    expect(headers.get("content-encoding")).toBeNull()
    let received = ""
    for await (const chunk of events!.pipeThrough(new TextDecoderStream())) {
      received += chunk
      if (received.includes(text)) break
    }
    controller.abort()
    expect(received).toContain(text)
  })

  // Not a skipped test: there is nothing to see where the host has no compression.
  if (!compression) return
  it("compression applies to answers that are no streams", async () => {
    const { url } = await mountInstance(makeHarness, { compress: true })
    const answer = await fetch(`${url}/api/v1/openapi.json`, { headers: acceptEncoding })
    expect(answer.headers.get("content-encoding")).toMatch(/^(?:gzip|deflate)$/)
    expect(await answer.json()).toMatchObject({ openapi: expect.any(String) })
  })
}
