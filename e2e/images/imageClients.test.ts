/** Unmodified clients make and edit images. */
import { createOpenAI } from "@ai-sdk/openai"
import { DallEAPIWrapper } from "@langchain/openai"
import { createOpenRouter } from "@openrouter/ai-sdk-provider"
import { BadRequestResponseError } from "@openrouter/sdk/models/errors"
import { imageOf, reply } from "@signalbox/testing"
import { generateImage } from "ai"
import OpenAI, { BadRequestError, toFile } from "openai"
import { describe, expect, test } from "vitest"
import { makeClient } from "../support/makeClient.ts"
import { pickHosts } from "../support/pickHosts.ts"
import { keys } from "../support/TestServer.ts"
import { model, startImageServer } from "./startImageServer.ts"

const hosts = pickHosts(import.meta.filename)
const prompt = "A lighthouse at night"
const image = imageOf("1024x1024")
const made = reply.images({
  size: "1024x1024",
  usage: { inputTokens: 9, outputTokens: 1_056 }
})
const file = () =>
  toFile(Buffer.from(imageOf("64x64", 7), "base64"), "sketch.png", { type: "image/png" })

describe.each(hosts)("images for clients, against $name", (host) => {
  const start = async () => {
    const server = await startImageServer({ host })
    server.always(made)
    return { ...server, baseURL: `${server.root}/api/v1` }
  }

  test("OpenAI's client makes images, whole and streamed", async () => {
    const { baseURL, first, second } = await start()
    const client = new OpenAI({ apiKey: keys.member, baseURL, maxRetries: 0 })
    const list = await client.images.generate({ model, prompt, n: 1, size: "1024x1024" })
    expect(list.data).toEqual([{ b64_json: image, media_type: "image/png" }])
    expect(list.usage).toMatchObject({
      input_tokens: 9,
      input_tokens_details: { image_tokens: 0, text_tokens: 9 },
      output_tokens: 1_056,
      total_tokens: 1_065
    })
    const stream = await client.images.generate({ model, prompt, stream: true, partial_images: 2 })
    const events: Array<object> = []
    for await (const event of stream) events.push(event)
    expect(events).toMatchObject([
      { type: "image_generation.partial_image", partial_image_index: 0 },
      { type: "image_generation.partial_image", partial_image_index: 1 },
      { type: "image_generation.completed", b64_json: image, usage: { output_tokens: 1_056 } }
    ])
    const sent = first.requests.length + second.requests.length
    const wanted: object = { response_format: "url" }
    const refused = client.images.generate({ model, prompt, ...wanted })
    await expect(refused).rejects.toBeInstanceOf(BadRequestError)
    expect(first.requests.length + second.requests.length).toBe(sent)
  })

  test("OpenAI's client edits images by forms, whole and streamed", async () => {
    const { baseURL, first, second } = await start()
    const client = new OpenAI({ apiKey: keys.member, baseURL, maxRetries: 0 })
    const list = await client.images.edit({
      model,
      prompt,
      image: [await file(), await file()],
      mask: await file(),
      n: 1
    })
    expect(list.data?.[0]?.b64_json).toBe(image)
    expect(list.usage?.input_tokens_details).toEqual({ image_tokens: 0, text_tokens: 9 })
    const [request] = [...first.requests, ...second.requests]
    expect(request?.path).toBe("/v1/images/edits")
    expect(request?.raw.match(/name="image\[\]"/g)).toHaveLength(2)
    const events = await client.images.edit({
      model,
      prompt,
      image: await file(),
      stream: true,
      partial_images: 1
    })
    const types: Array<string> = []
    for await (const event of events) types.push(event.type)
    expect(types).toEqual(["image_edit.partial_image", "image_edit.completed"])
    const wrong = client.images.edit({
      model,
      prompt,
      image: await toFile(Buffer.from("hello"), "a.txt", { type: "text/plain" })
    })
    await expect(wrong).rejects.toBeInstanceOf(BadRequestError)
  })

  test("OpenRouter's client makes images and lists models with their endpoints", async () => {
    const { root } = await start()
    const client = makeClient({ root }, keys.member)
    const list = await client.images.generate({
      imageGenerationRequest: {
        model,
        prompt,
        inputReferences: [
          { type: "image_url", imageUrl: { url: `data:image/png;base64,${imageOf("64x64")}` } }
        ]
      }
    })
    expect(list).toMatchObject({
      data: [{ b64Json: image, mediaType: "image/png" }],
      usage: { promptTokens: 9, completionTokens: 1_056, totalTokens: 1_065 }
    })
    const events = await client.images.generate({
      imageGenerationRequest: { model, prompt, stream: true }
    })
    const types: Array<string> = []
    if (Symbol.asyncIterator in events) {
      for await (const event of events) types.push(event.type)
    }
    expect(types.at(-1)).toBe("image_generation.completed")
    const models = await client.images.listModels()
    expect(models.data.map(({ id }) => id)).toEqual([model])
    const [author = "", slug = ""] = model.split("/")
    const { endpoints } = await client.images.listModelEndpoints({ author, slug })
    expect(endpoints.map(({ pricing, providerSlug }) => ({ pricing, providerSlug }))).toEqual([
      {
        providerSlug: "first",
        pricing: [{ billable: "output_image", unit: "image", costUsd: 0.04 }]
      },
      {
        providerSlug: "second",
        pricing: [{ billable: "output_image", unit: "image", costUsd: 0.05 }]
      }
    ])
    const refused = client.images.generate({
      imageGenerationRequest: { model, prompt, size: "1024x1024", resolution: "4K" }
    })
    await expect(refused).rejects.toBeInstanceOf(BadRequestResponseError)
  })

  test("the AI SDK makes and edits images with both providers", async () => {
    const { baseURL } = await start()
    const options = { apiKey: keys.member, baseURL }
    for (const painter of [
      createOpenAI(options).image(model),
      createOpenRouter(options).imageModel(model)
    ]) {
      const { images } = await generateImage({
        model: painter,
        prompt,
        size: "1024x1024",
        maxRetries: 0
      })
      expect(images.map(({ base64 }) => base64)).toEqual([image])
    }
    const sketch = Buffer.from(imageOf("64x64", 7), "base64")
    for (const painter of [
      createOpenAI(options).image(model),
      createOpenRouter(options).imageModel(model)
    ]) {
      const { images } = await generateImage({
        model: painter,
        prompt: { text: prompt, images: [sketch] },
        maxRetries: 0
      })
      expect(images).toHaveLength(1)
    }
  })

  test("LangChain's wrapper makes an image, whatever it sends of older models", async () => {
    const { baseURL, first, second } = await start()
    const tool = new DallEAPIWrapper({
      apiKey: keys.member,
      baseUrl: baseURL,
      model,
      dallEResponseFormat: "b64_json"
    })
    expect(await tool.invoke(prompt)).toBe(image)
    const [request] = [...first.requests, ...second.requests]
    expect(request?.body).toEqual({
      model: "gpt-image-1",
      prompt,
      n: 1,
      size: "1024x1024"
    })
  })
})
