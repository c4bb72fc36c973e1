/** Tests videos with the public client: submit, poll, download and list. */
import { buffer } from "node:stream/consumers"
import { expect, it, vi } from "vitest"
import { videoBytes } from "./fakeVideos.ts"
import type { HostContractOptions, MakeHarness } from "./HostHarness.ts"
import { listParserCases } from "./listParserCases.ts"
import { memberKey, mountInstance, type MountedInstance } from "./mountInstance.ts"

/** The public client, without retries. */
const makeClient = async ({ url }: MountedInstance) => {
  // Imported on demand, because only these suites need the optional peer dependency.
  const { OpenRouter } = await import("@openrouter/sdk")
  const { videoGeneration } = new OpenRouter({
    apiKey: memberKey,
    serverURL: `${url}/api/v1`,
    retryConfig: { strategy: "none" },
    timeoutMs: 20_000
  })
  return videoGeneration
}

type Client = Awaited<ReturnType<typeof makeClient>>

const submit = (client: Client) =>
  client.generate({
    videoGenerationRequest: { model: "host/film", prompt: "a tide pool", duration: 4 }
  })

/** Submits a video, and polls it until it is done. */
const createCompleted = async (client: Client): Promise<string> => {
  const { id } = await submit(client)
  await vi.waitFor(
    async () => {
      const { status } = await client.getGeneration({ jobId: id })
      expect(status).toBe("completed")
    },
    { timeout: 60_000 }
  )
  return id
}

const download = ({ url }: MountedInstance, id: string, init: RequestInit = {}) => {
  const headers = new Headers(init.headers)
  headers.set("authorization", `Bearer ${memberKey}`)
  return fetch(`${url}/api/v1/videos/${id}/content?index=0`, { ...init, headers })
}

const readBytes = async (response: Response) => new Uint8Array(await response.arrayBuffer())

export const testVideos = (
  makeHarness: MakeHarness,
  { omitsContentLength = false, parsers = [] }: HostContractOptions
): void => {
  const mounts = ["/ai"] as const
  const settings = listParserCases(parsers, ["before"])

  it.each(settings)("are submitted, polled and downloaded %s", async (_name, parser) => {
    const server = await mountInstance(makeHarness, { mounts, parser })
    const client = await makeClient(server)
    const submitted = await submit(client)
    expect(submitted).toMatchObject({
      status: "pending",
      pollingUrl: `/ai/api/v1/videos/${submitted.id}`
    })
    const id = await createCompleted(client)
    expect(await client.getGeneration({ jobId: id })).toMatchObject({
      status: "completed",
      unsignedUrls: [`/ai/api/v1/videos/${id}/content?index=0`],
      usage: { cost: 0.4, isByok: false }
    })
    const content = await buffer(await client.getVideoContent({ jobId: id }))
    expect(new Uint8Array(content)).toEqual(videoBytes)
  })

  it("are accepted with 202, with the host's headers", async () => {
    const { url } = await mountInstance(makeHarness, { mounts })
    const answer = await fetch(`${url}/api/v1/videos`, {
      method: "POST",
      headers: { authorization: `Bearer ${memberKey}`, "content-type": "application/json" },
      body: JSON.stringify({ model: "host/film", prompt: "a tide pool", duration: 4 })
    })
    expect([answer.status, answer.headers.get("x-host")]).toEqual([202, "here"])
    expect(await answer.json()).toMatchObject({ status: "pending" })
  })

  it("support ranges and HEAD", async () => {
    const server = await mountInstance(makeHarness, { mounts })
    const id = await createCompleted(await makeClient(server))
    const part = await download(server, id, { headers: { range: "bytes=10-100009" } })
    expect([part.status, part.headers.get("content-range")]).toEqual([
      206,
      "bytes 10-100009/300000"
    ])
    expect(part.headers.get("content-length")).toBe(omitsContentLength ? null : "100000")
    expect(await readBytes(part)).toEqual(videoBytes.slice(10, 100_010))
    const head = await download(server, id, { method: "HEAD" })
    expect(head.status).toBe(200)
    expect(omitsContentLength ? [null, "300000"] : ["300000"]).toContain(
      head.headers.get("content-length")
    )
    expect(head.headers.get("content-type")).toBe("video/mp4")
    expect(await readBytes(head)).toHaveLength(0)
  })

  it("end if the client disconnects", async () => {
    const server = await mountInstance(makeHarness, { mounts })
    const id = await createCompleted(await makeClient(server))
    const controller = new AbortController()
    const { body } = await download(server, id, { signal: controller.signal })
    await body?.getReader().read()
    controller.abort()
    expect(await readBytes(await download(server, id))).toEqual(videoBytes)
    await server.instance.close()
  })

  it("list their models with capabilities", async () => {
    const client = await makeClient(await mountInstance(makeHarness, { mounts }))
    const { data } = await client.listVideosModels()
    expect(data).toMatchObject([{ id: "host/film", supportedDurations: [4, 8] }])
  })
}
