/** References at addresses are fetched for providers that take files, and passed on to those that take addresses. */
import { openai } from "@signalbox/openai"
import { openrouter } from "@signalbox/openrouter"
import { imageOf, ScriptedUpstream } from "@signalbox/testing"
import { Signalbox } from "@signalbox/web"
import { createServer, type RequestListener } from "node:http"
import { expect, onTestFinished, test } from "vitest"
import { toRunningHost } from "../support/hosts.ts"
import { startImageServer } from "./startImageServer.ts"

const file = Buffer.from(imageOf("64x64", 7), "base64")

const serve = async (listener: RequestListener) => {
  const running = await toRunningHost(createServer(listener))
  onTestFinished(running.close)
  return running.origin
}

const sendFile: RequestListener = (request, response) => {
  if (request.url === "/moved") response.writeHead(302, { location: "/a.png" }).end()
  else if (request.url === "/page") response.writeHead(200, { "content-type": "text/html" }).end()
  else if (request.url !== "/a.png") response.writeHead(404).end()
  else response.writeHead(200, { "content-type": "image/png" }).end(file)
}

const refer = (...urls: ReadonlyArray<string>) => ({
  input_references: urls.map((url) => ({ type: "image_url", image_url: { url } }))
})

const open = { settings: { allowPrivateNetworks: true } }

test("are fetched, and sent as files", async () => {
  const { first, paint, post } = await startImageServer(open)
  const origin = await serve(sendFile)
  const mask = `${origin}/a.png`
  expect((await paint({ ...refer(mask, mask), mask })).status).toBe(200)
  const [request] = first.requests
  expect(request?.path).toBe("/v1/images/edits")
  expect(
    request?.raw.match(/name="image\[\]"; filename="[^"]+"\r\nContent-Type: image\/png/g)
  ).toHaveLength(2)
  expect(request?.raw).toContain('name="mask"')
  expect(request?.raw).not.toContain(origin)
  const edited = await post("/images/edits", {
    model: "proof/paint",
    prompt: "At night",
    image: mask,
    provider: { only: ["first"] }
  })
  expect([edited.status, first.requests.length]).toEqual([200, 2])
})

const png = `data:image/png;base64,${imageOf("64x64", 7)}`

test.each([
  ["a page in place of an image", refer("data:text/html;base64,PGh0bWw+"), "0.image_url.url"],
  ["an image without base64", refer(png, "data:image/png,hello"), "1.image_url.url"],
  ["a mask without its bytes", { ...refer(png), mask: "data:image/png;base64," }, "mask"]
])("that are %s are refused with their path, before a provider is asked", async (_, body, path) => {
  const { first, paint, second } = await startImageServer()
  const answer = await paint(body)
  expect([answer.status, answer.text]).toEqual([
    400,
    expect.stringContaining(`${path}: must be an image in base64`)
  ])
  expect([...first.requests, ...second.requests]).toEqual([])
})

test.each(["/gone", "/page", "/moved"])(
  "that answer as %s are the mistake of the request, which costs nothing",
  async (path) => {
    const { first, get, paint, second } = await startImageServer({
      ...open,
      credits: { default: "1" }
    })
    const origin = await serve(sendFile)
    const answer = await paint(refer(origin + path))
    expect([answer.status, answer.text]).toEqual([
      400,
      expect.stringMatching(/image of the request/)
    ])
    expect([...first.requests, ...second.requests]).toEqual([])
    expect((await get(`/generation?id=${answer.headers["x-generation-id"]}`)).body).toMatchObject({
      data: { total_cost: 0 }
    })
  }
)

test("go to a provider that takes addresses where the host cannot fetch them", async () => {
  const first = await ScriptedUpstream.start()
  const second = await ScriptedUpstream.start()
  const instance = await Signalbox.make({
    upstreams: [
      openai({ slug: "first", baseUrl: `${first.url}/v1`, apiKey: "sk-first" }),
      openrouter({ slug: "second", baseUrl: second.url, apiKey: "sk-second" })
    ],
    models: [
      {
        id: "proof/paint",
        card: { architecture: { output_modalities: ["image"] } },
        endpoints: ["first", "second"].map((provider) => ({
          provider,
          model: "gpt-image-1",
          images: { prices: [{ billable: "output_image", unit: "image", usd: "0.04" }] }
        }))
      }
    ]
  })
  onTestFinished(async () => {
    await instance.close()
    await first.close()
    await second.close()
  })
  const url = "https://images.example/a.png"
  const { data } = await instance.generateImages({
    model: "proof/paint",
    prompt: "At night",
    input_references: [{ type: "image_url", image_url: { url } }],
    provider: { order: ["first", "second"] }
  })
  expect(data).toHaveLength(1)
  expect(first.requests).toEqual([])
  expect(second.requests[0]?.body).toMatchObject({
    input_references: [{ image_url: { url } }]
  })
})
