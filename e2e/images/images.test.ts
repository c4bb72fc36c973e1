import { fault, imageOf, reply, type Step } from "@signalbox/testing"
import { describe, expect, test } from "vitest"
import { pickHosts } from "../support/pickHosts.ts"
import { send } from "../support/send.ts"
import { keys } from "../support/TestServer.ts"
import { imageRequest, model, startImageServer } from "./startImageServer.ts"

const hosts = pickHosts(import.meta.filename)

const reference = (url = `data:image/png;base64,${imageOf("64x64", 7)}`) => ({
  type: "image_url",
  image_url: { url }
})

const readEvents = (text: string): ReadonlyArray<unknown> =>
  text
    .split("\n")
    .filter((line) => line.startsWith("data: "))
    .map((line) => line.slice(6))
    .map((data): unknown => (data === "[DONE]" ? data : JSON.parse(data)))

describe.each(hosts)("images, against $name", (host) => {
  test("come in base64, priced by their number, and recorded", async () => {
    const { first, get, paint } = await startImageServer({ host })
    first.always(
      reply.images({
        size: "1024x1024",
        usage: { inputTokens: 9, outputTokens: 2_112 },
        model: "gpt-image-20300101"
      })
    )
    const answer = await paint({ n: 2, user: "ann", session_id: "s-1" })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^gen-img-/),
      created: expect.any(Number),
      model,
      provider: "first",
      data: [0, 1].map((number) => ({
        b64_json: imageOf("1024x1024", number),
        media_type: "image/png"
      })),
      usage: {
        prompt_tokens: 9,
        prompt_tokens_details: { image_tokens: 0 },
        completion_tokens: 2_112,
        total_tokens: 2_121,
        cost: 0.08,
        is_byok: false
      }
    })
    const { id } = answer.body as { readonly id: string }
    expect(answer.headers["x-generation-id"]).toBe(id)
    expect(first.requests.map(({ body }) => body)).toEqual([
      { model: "gpt-image-1", prompt: imageRequest.prompt, n: 2 }
    ])
    const record = await get(`/generation?id=${id}`)
    expect(record.body).toMatchObject({
      data: {
        api_type: "image",
        external_user: "ann",
        model,
        upstream_model: "gpt-image-20300101",
        provider_name: "first",
        session_id: "s-1",
        streamed: false,
        num_media_completion: 2,
        total_cost: 0.08
      }
    })
  })

  test("fall back to another endpoint, and a failed generation costs nothing", async () => {
    const { first, paint, second } = await startImageServer({ host })
    first.always(fault.status(500))
    const answer = await paint()
    expect(answer.body).toMatchObject({ provider: "second", usage: { cost: 0.05 } })
    second.always(fault.flawedImages("no_image"))
    const failed = await paint()
    expect(failed.status).toBe(502)
  })

  test("stream previews, then the images with the usage, then [DONE]", async () => {
    const { always, paint, post } = await startImageServer({ host })
    always(reply.images({ size: "1024x1024", usage: { inputTokens: 9, outputTokens: 1_056 } }))
    const answer = await paint({ stream: true, partial_images: 1 })
    expect(answer.headers["content-type"]).toContain("text/event-stream")
    expect(readEvents(answer.text)).toEqual([
      {
        type: "image_generation.partial_image",
        partial_image_index: 0,
        b64_json: imageOf("64x64", 0)
      },
      {
        type: "image_generation.completed",
        b64_json: imageOf("1024x1024", 0),
        media_type: "image/png",
        created: expect.any(Number),
        usage: {
          prompt_tokens: 9,
          prompt_tokens_details: { image_tokens: 0 },
          completion_tokens: 1_056,
          total_tokens: 1_065,
          cost: 0.04,
          is_byok: false
        }
      },
      "[DONE]"
    ])
    const edited = await post("/images/edits", {
      ...imageRequest,
      image: reference().image_url.url,
      partial_images: 1,
      stream: true
    })
    expect(readEvents(edited.text)).toMatchObject([
      { type: "image_edit.partial_image", partial_image_index: 0, b64_json: imageOf("64x64", 0) },
      {
        type: "image_edit.completed",
        b64_json: imageOf("1024x1024", 0),
        created_at: expect.any(Number),
        usage: {
          input_tokens: 9,
          input_tokens_details: { image_tokens: 0, text_tokens: 9 },
          output_tokens: 1_056,
          total_tokens: 1_065
        }
      },
      "[DONE]"
    ])
  })

  test("fail before a stream with a status, and within it with an error that costs nothing", async () => {
    const { always, get, paint } = await startImageServer({ host })
    always(fault.status(500))
    expect((await paint({ stream: true })).status).toBe(502)
    always(reply.images({ error: "The model is busy" }))
    const broken = await paint({ stream: true })
    expect(broken.status).toBe(200)
    const events = readEvents(broken.text)
    expect(events.at(-2)).toMatchObject({
      type: "error",
      error: { code: "502", message: expect.any(String) }
    })
    expect(events.at(-1)).toBe("[DONE]")
    const record = await get(`/generation?id=${broken.headers["x-generation-id"]}`)
    expect(record.body).toMatchObject({ data: { total_cost: 0, streamed: true } })
  })

  test("send references as a form, with a mask", async () => {
    const { first, paint } = await startImageServer({ host })
    first.always(reply.images({ size: "1024x1024" }))
    const mask = `data:image/png;base64,${imageOf("64x64", 8)}`
    const answer = await paint({ input_references: [reference(), reference()], mask })
    expect(answer.status).toBe(200)
    const [request] = first.requests
    expect(request?.path).toBe("/v1/images/edits")
    expect(request?.headers["content-type"]).toContain("multipart/form-data")
    expect(request?.raw.match(/name="image\[\]"/g)).toHaveLength(2)
    expect(request?.raw).toContain('name="mask"')
    expect(request?.raw).not.toContain("response_format")
  })

  test.each([
    ["no prompt", { prompt: "" }, "prompt"],
    ["no image at all", { n: 0 }, "n"],
    ["too many images", { n: 11 }, "n"],
    ["an address as the answer", { response_format: "url" }, "response_format"],
    ["a size that is none", { size: "big" }, "size"],
    [
      "a ratio that contradicts the size",
      { size: "1024x1024", aspect_ratio: "16:9" },
      "aspect_ratio"
    ],
    [
      "a resolution that contradicts the size",
      { size: "1024x1024", resolution: "4K" },
      "resolution"
    ],
    ["two resolutions", { size: "2K", resolution: "4K" }, "resolution"],
    ["a mask without an image", { mask: "data:image/png;base64,AA==" }, "mask"],
    [
      "a reference in the host's own network",
      { input_references: [reference("http://169.254.169.254/latest")] },
      "input_references.0.image_url.url"
    ],
    ["too many references", { input_references: Array(17).fill(reference()) }, "input_references"],
    ["other models", { models: ["proof/chat"] }, "models"],
    ["a misspelt preference", { provider: { orderr: [] } }, "provider.orderr"]
  ])("refuse %s", async (_, changes, path) => {
    const { first, paint, second } = await startImageServer({ host })
    const answer = await paint(changes)
    expect(answer.status).toBe(400)
    expect(answer.text).toContain(path)
    expect([...first.requests, ...second.requests]).toEqual([])
  })

  test("refuse a chat model, and an image model for embeddings", async () => {
    const { paint, post } = await startImageServer({ host })
    expect((await paint({ model: "proof/chat" })).status).toBe(400)
    expect((await post("/embeddings", { model, input: "a" })).status).toBe(400)
  })

  test("are made only where the endpoint takes the values of the request", async () => {
    const { first, paint, second } = await startImageServer({
      host,
      first: {
        prices: [{ billable: "output_image", unit: "image", usd: "0.04" }],
        parameters: {
          n: { type: "range", min: 1, max: 1 },
          aspect_ratio: { type: "enum", values: ["1:1", "3:2"] }
        }
      }
    })
    expect((await paint({ n: 2 })).body).toMatchObject({ provider: "second" })
    expect(first.requests).toHaveLength(0)
    expect((await paint({ size: "1536x1024", quality: "high" })).body).toMatchObject({
      provider: "first"
    })
    expect(first.requests[0]?.body).toMatchObject({ size: "1536x1024" })
    expect(first.requests[0]?.body).not.toHaveProperty("quality")
    expect((await paint({ size: "1024x1536" })).body).toMatchObject({ provider: "second" })
    expect(second.requests).toHaveLength(2)
  })

  test.each<readonly [string, Step, number]>([
    ["is refused", fault.refusal("filter"), 400],
    ["ends too early", fault.truncated(), 502],
    ["is no JSON", fault.notJson(), 502],
    ["is empty", fault.empty(), 502],
    ["holds more images than asked for", fault.flawedImages("extra_image"), 502],
    ["is no base64", fault.flawedImages("not_base64"), 502],
    ["is an error with status 200", fault.errorInBody(), 502]
  ])("cost nothing when the answer %s", async (_, step, status) => {
    const { always, get, paint } = await startImageServer({ host })
    always(step)
    const answer = await paint()
    expect({ status: answer.status, text: answer.text }).toMatchObject({ status })
    const list = await get("/credits", undefined)
    expect(list.status).toBeLessThan(500)
  })
})

test("models that make images are listed with an address that leads to their endpoints", async () => {
  const { get, root } = await startImageServer()
  const listed = await get("/images/models")
  const path = `/ai/api/v1/images/models/${model}/endpoints`
  expect(listed.body).toMatchObject({ data: [{ id: model, endpoints: path }] })
  const { origin } = new URL(root)
  const answer = await send(`${origin}${path}`, {
    method: "GET",
    headers: { authorization: `Bearer ${keys.member}` }
  })
  expect([answer.status, answer.body]).toMatchObject([200, { id: model }])
})

describe("prices of images", () => {
  test.each([
    ["a quality and a size", { quality: "high", size: "1024x1024" }, 0.17],
    ["a quality alone", { quality: "low" }, 0.02],
    ["neither, and the provider says the quality", {}, 0.02]
  ])("follow %s", async (_, changes, cost) => {
    const { first, paint } = await startImageServer({
      first: {
        prices: [
          { billable: "output_image", unit: "image", usd: "0.04" },
          { billable: "output_image", unit: "image", usd: "0.02", variant: "low" },
          { billable: "output_image", unit: "image", usd: "0.17", variant: "high_1024x1024" }
        ]
      }
    })
    first.always(reply.images({ size: "1024x1024", quality: "low" }))
    expect((await paint(changes)).body).toMatchObject({ usage: { cost } })
  })

  test("are per megapixel, token and request, exactly", async () => {
    const { first, paint } = await startImageServer({
      first: {
        prices: [
          { billable: "output_image", unit: "megapixel", usd: "0.03" },
          { billable: "output_image", unit: "token", usd: "0.000001" },
          { billable: "input_text", unit: "token", usd: "0.000002" },
          { billable: "output_image", unit: "request", usd: "0.001" }
        ]
      }
    })
    first.always(reply.images({ size: "1000x500", usage: { inputTokens: 10, outputTokens: 100 } }))
    const answer = await paint({ n: 2, size: "1000x500" })
    // 2 images of half a megapixel, 100 tokens, 10 tokens, one request.
    expect(answer.body).toMatchObject({ usage: { cost: 0.03 + 0.0001 + 0.00002 + 0.001 } })
  })
})

describe("what an image has no use for", () => {
  const { url } = reference().image_url
  const told = {
    references: "input_references.0.weight, input_references.0.image_url.detail",
    edit: "input_references.0.image_url.detail, image.detail, images.1.image_url.detail, mask.file_id"
  }
  const references = [{ ...reference(), weight: 2, image_url: { url, detail: "low" } }, reference()]
  const edit = {
    ...imageRequest,
    input_references: [{ type: "image_url", image_url: { url, detail: "low" } }],
    image: { image_url: url, detail: "low" },
    images: [url, { type: "image_url", image_url: { url, detail: "low" } }],
    mask: { image_url: url, file_id: "file-1" }
  }

  test("is named in a header, and nothing else of a reference is", async () => {
    const { first, paint, post } = await startImageServer()
    first.always(reply.images())
    const named = await paint({ input_references: references })
    expect([named.status, named.headers["x-signalbox-ignored"]]).toEqual([200, told.references])
    const plain = await paint({ input_references: [reference()] })
    expect([plain.status, plain.headers["x-signalbox-ignored"]]).toEqual([200, undefined])
    const edited = await post("/images/edits", edit)
    expect([edited.status, edited.headers["x-signalbox-ignored"]]).toEqual([200, told.edit])
    const usual = await post("/images/edits", { ...imageRequest, image: [url], mask: url })
    expect([usual.status, usual.headers["x-signalbox-ignored"]]).toEqual([200, undefined])
  })

  test("refuses a strict request, and no provider is called", async () => {
    const { first, paint, post, second } = await startImageServer()
    const strict = { "x-signalbox-strict": "true" }
    for (const answer of [
      await post("/images", { ...imageRequest, input_references: references }, { headers: strict }),
      await post("/images/edits", edit, { headers: strict })
    ]) {
      expect([answer.status, answer.body]).toEqual([
        400,
        { error: expect.objectContaining({ message: expect.stringContaining("detail") }) }
      ])
    }
    expect([...first.requests, ...second.requests]).toEqual([])
    expect((await paint()).status).toBe(200)
  })

  test("a second mask is refused, because only one could be used", async () => {
    const { post } = await startImageServer()
    const answer = await post("/images/edits", { ...imageRequest, image: url, mask: [url, url] })
    expect([answer.status, answer.body]).toEqual([
      400,
      { error: expect.objectContaining({ message: expect.stringContaining("mask") }) }
    ])
  })
})
