/** Speech over HTTP: bytes, formats, prices, records, fallbacks, and audio that breaks off. */
import { audioOf, fault, reply } from "@signalbox/testing"
import { request } from "undici"
import { describe, expect, test } from "vitest"
import { hosts } from "../support/hosts.ts"
import { getProperty } from "../support/getProperty.ts"
import { keys } from "../support/TestServer.ts"
import { speechRequest, startAudioServer } from "./startAudioServer.ts"

const open = (root: string, body: object) =>
  request(`${root}/audio/speech`, {
    method: "POST",
    headers: { authorization: `Bearer ${keys.member}`, "content-type": "application/json" },
    body: JSON.stringify(body)
  })

test("is bytes of the requested format, with the id of their record", async () => {
  const server = await startAudioServer()
  for (const [format, type] of [
    ["mp3", "audio/mpeg"],
    ["pcm", "audio/pcm"],
    ["wav", "audio/wav"],
    ["opus", "audio/ogg"],
    ["aac", "audio/aac"],
    ["flac", "audio/flac"]
  ] as const) {
    const answer = await open(server.root, { ...speechRequest, response_format: format })
    expect([answer.statusCode, answer.headers["content-type"]]).toEqual([200, type])
    expect(new Uint8Array(await answer.body.arrayBuffer())).toEqual(
      new Uint8Array(audioOf(format, speechRequest.input))
    )
    // Nine code units, and eight code points, of 15,000 nano-USD.
    expect(await server.getRecord(String(answer.headers["x-generation-id"]))).toMatchObject({
      data: { api_type: "tts", provider_name: "first", streamed: true, total_cost: 0.000_12 }
    })
  }
  expect(server.first.requests[0]?.body).toEqual({
    model: "proof/tts",
    input: "Hello 🎬!",
    voice: "alloy",
    response_format: "mp3"
  })
})

test("is pcm when the request names no format", async () => {
  const server = await startAudioServer()
  const { response_format: _, ...rest } = speechRequest
  const answer = await open(server.root, rest)
  expect(answer.headers["content-type"]).toBe("audio/pcm")
  await answer.body.dump()
  expect(server.first.requests[0]?.body).toMatchObject({ response_format: "pcm" })
})

test("in a voice of the caller's own asks the provider for its id", async () => {
  const server = await startAudioServer()
  const voice = { id: "voice_1234" }
  expect((await server.speak({ voice })).status).toBe(200)
  expect(server.first.requests[0]?.body).toMatchObject({ voice })
  for (const wrong of [{}, { id: "" }, { id: 7 }, ["alloy"]]) {
    const answer = await server.speak({ voice: wrong })
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining("voice")])
  }
  expect(server.first.requests).toHaveLength(1)
})

test("passes on how to speak, and parameters of the provider's own", async () => {
  const server = await startAudioServer()
  await server.speak({
    instructions: "Whisper.",
    speed: 1.5,
    seed: 7,
    provider: { order: ["first"], options: { first: { emotion: "calm" }, second: { a: 1 } } }
  })
  expect(server.first.requests[0]?.body).toEqual({
    model: "proof/tts",
    input: "Hello 🎬!",
    voice: "alloy",
    response_format: "mp3",
    instructions: "Whisper.",
    speed: 1.5,
    seed: 7,
    emotion: "calm"
  })
})

test.each([
  [{ input: "" }, /input/],
  [{ input: 7 }, /input/],
  [{ model: undefined }, /model/],
  [{ voice: "" }, /voice/],
  [{ response_format: "midi" }, /response_format/],
  [{ speed: 0 }, /speed/],
  [{ stream_format: "sse" }, /stream_format/],
  [{ stream: true }, /stream/],
  [{ models: ["proof/tts"] }, /models/],
  [{ provider: { options: { first: 1 } } }, /provider.options/],
  [{ provider: { ordre: [] } }, /ordre/],
  [{ input_references: [{ type: "text", text: "a" }] }, /recording/],
  [{ input_references: [{ type: "input_audio", input_audio: { data: "!" } }] }, /base64/]
])("with %j is refused as JSON that says why", async (changes, message) => {
  const server = await startAudioServer()
  const answer = await server.speak(changes)
  expect([answer.status, answer.headers["content-type"]]).toEqual([400, "application/json"])
  expect(getProperty(getProperty(answer.body, "error"), "message")).toMatch(message)
  expect(server.first.requests).toHaveLength(0)
})

test("in the voice of a recording goes nowhere when no endpoint clones voices", async () => {
  const server = await startAudioServer()
  const answer = await server.speak({
    input_references: [{ type: "input_audio", input_audio: { data: "QUJD" } }]
  })
  expect(answer.status).toBe(404)
  expect(JSON.stringify(answer.body)).toMatch(/clones voices/)
  expect(server.first.requests).toHaveLength(0)
})

test("of a model whose card says that it writes text is refused with what to do", async () => {
  const server = await startAudioServer()
  const answer = await server.speak({ model: "proof/chat" })
  expect([answer.status, answer.body]).toMatchObject([
    400,
    {
      error: {
        message:
          "proof/chat cannot be used with the speech endpoint, because its output_modalities are text; where that is wrong, add speech to card.architecture.output_modalities"
      }
    }
  ])
})

describe.each(hosts)("with $name", (host) => {
  test("begins with the first bytes, and arrives as it is made", async () => {
    const server = await startAudioServer({ host })
    const gate = server.first.gate()
    server.first.always(reply.audio([audioOf("mp3", "one"), gate, Buffer.from("two")]))
    const answer = await open(server.root, speechRequest)
    const pieces = answer.body[Symbol.asyncIterator]()
    const start: unknown = (await pieces.next()).value
    expect(Buffer.from(start as Uint8Array)).toEqual(Buffer.from(audioOf("mp3", "one")))
    gate.open()
    expect(String((await pieces.next()).value)).toBe("two")
    expect((await pieces.next()).done).toBe(true)
  })

  test("that breaks off breaks the connection, and is charged in full", async () => {
    const server = await startAudioServer({ host })
    server.first.always(
      fault.drop("response_body", reply.audio([audioOf("mp3", "one"), Buffer.from("two")]))
    )
    const answer = await open(server.root, speechRequest)
    expect(answer.statusCode).toBe(200)
    await expect(answer.body.arrayBuffer()).rejects.toThrow(/closed|terminated|abort|other side/i)
    await expect
      .poll(() => server.getRecord(String(answer.headers["x-generation-id"])))
      .toMatchObject({ data: { total_cost: 0.000_12 } })
    expect(server.second.requests).toHaveLength(0)
  })
})

test("falls back while there are no bytes: of a failure, another format, JSON, and silence", async () => {
  for (const step of [
    fault.status(500),
    fault.drop("response_headers", reply.audio([audioOf("mp3", "one")])),
    reply.audio([audioOf("wav", "one")]),
    reply.audio([]),
    reply.audio([Buffer.from('{"error":"no"}')], { contentType: "application/json" }),
    fault.empty()
  ]) {
    const server = await startAudioServer()
    server.first.always(step)
    const answer = await open(server.root, speechRequest)
    expect([answer.statusCode, server.first.requests.length]).toEqual([200, 1])
    expect(Buffer.from(await answer.body.arrayBuffer())).toEqual(
      Buffer.from(audioOf("mp3", speechRequest.input))
    )
  }
})

test("that a client leaves ends the call at the provider, and is charged in full", async () => {
  const server = await startAudioServer()
  const gate = server.first.gate()
  server.first.always(reply.audio([audioOf("mp3", "one"), gate]))
  const answer = await open(server.root, speechRequest)
  answer.body.on("error", () => {})
  await answer.body[Symbol.asyncIterator]().next()
  answer.body.destroy()
  await server.first.waitForAborts(1)
  await expect
    .poll(() => server.getRecord(String(answer.headers["x-generation-id"])))
    .toMatchObject({ data: { total_cost: 0.000_12, cancelled: true } })
})

test("that no provider begins is an error in JSON", async () => {
  const server = await startAudioServer()
  server.first.always(fault.status(429, { retryAfter: 7 }))
  server.second.always(fault.status(429, { retryAfter: 7 }))
  const answer = await server.speak()
  expect([answer.status, answer.headers["content-type"]]).toEqual([429, "application/json"])
  expect(getProperty(getProperty(answer.body, "error"), "code")).toBe(429)
})

test("is planned with its price", async () => {
  const server = await startAudioServer()
  const { body, status } = await server.post(
    "/signalbox/plan",
    { request: speechRequest },
    {
      key: keys.management
    }
  )
  expect(status).toBe(200)
  expect(JSON.stringify(body)).toContain("proof/tts@first")
})

test("in process is an iteration of bytes", async () => {
  const server = await startAudioServer()
  const pieces = []
  for await (const piece of server.instance.speak({
    model: "proof/tts",
    input: "Hi",
    voice: "alloy"
  })) {
    pieces.push(piece)
  }
  expect(Buffer.concat(pieces)).toEqual(Buffer.from(audioOf("pcm", "Hi")))
})
