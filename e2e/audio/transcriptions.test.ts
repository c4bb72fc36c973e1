/** Transcriptions over HTTP: JSON and forms, times, prices, records, fallbacks, and hosts that parse bodies. */
import { createServer } from "node:http"
import { fault, reply } from "@signalbox/testing"
import { signalbox } from "@signalbox/express"
import express, { type RequestHandler } from "express"
import { describe, expect, onTestFinished, test } from "vitest"
import { hosts, toRunningHost } from "../support/hosts.ts"
import { pickHosts } from "../support/pickHosts.ts"
import { getProperty } from "../support/getProperty.ts"
import { keys } from "../support/TestServer.ts"
import { startAudioServer, transcriptionRequest, wavOf } from "./startAudioServer.ts"

/** Takes a form apart like multer and express-fileupload: its texts are in the body, and its files are elsewhere. */
const parseForms: RequestHandler = (request, _response, next) => {
  request
    .on("data", () => {})
    .once("end", () => {
      request.body = { model: "proof/stt" }
      next()
    })
}

const wav = new Blob([wavOf(2)], { type: "audio/wav" })
const form = [
  ["file", wav, "audio.wav"],
  ["model", "proof/stt"],
  ["provider", '{"order":["first"]}']
] as const

const getMessage = (body: unknown) => getProperty(getProperty(body, "error"), "message")

test("is a text with its length and its cost, and nothing else", async () => {
  const server = await startAudioServer()
  const answer = await server.transcribe()
  expect([answer.status, answer.body]).toEqual([
    200,
    { text: "Hello there.", usage: { seconds: 2, cost: 0.000_2 } }
  ])
  expect(await server.getRecord(answer.headers["x-generation-id"])).toMatchObject({
    data: { api_type: "stt", provider_name: "first", total_cost: 0.000_2 }
  })
  expect(server.first.requests[0]?.raw).toContain('filename="audio.wav"')
  expect(server.first.requests[0]?.raw).toContain("RIFF")
})

test("has the times that the request asks for", async () => {
  const server = await startAudioServer()
  const verbose = { response_format: "verbose_json" }
  expect((await server.transcribe(verbose)).body).toEqual({
    task: "transcribe",
    language: "english",
    duration: 2,
    text: "Hello there.",
    segments: [
      { id: 0, seek: 0, start: 0, end: 2, text: "Hello there.", tokens: [1, 2], temperature: 0 }
    ],
    usage: { seconds: 2, cost: 0.000_2 }
  })
  const words = await server.transcribe({ ...verbose, timestamp_granularities: ["word"] })
  expect(words.body).toMatchObject({ words: [{ word: "Hello", start: 0, end: 0.5 }] })
  expect(words.body).not.toHaveProperty("segments")
  expect(server.first.requests[1]?.raw).toContain('name="timestamp_granularities[]"')
})

test.each([
  [{ input_audio: undefined }, /input_audio/],
  [{ input_audio: { data: "!!", format: "wav" } }, /base64/],
  [{ input_audio: { data: "data:audio/wav;base64,UklGRg==", format: "wav" } }, /base64/],
  [{ input_audio: { data: "", format: "wav" } }, /empty/],
  [{ input_audio: { data: "UklGRg==", format: "../wav" } }, /format/],
  [{ response_format: "srt" }, /json or verbose_json/],
  [{ response_format: "text" }, /json or verbose_json/],
  [{ response_format: "vtt" }, /json or verbose_json/],
  [{ stream: true }, /stream/],
  [{ models: ["a"] }, /models/],
  [{ timestamp_granularities: ["word"] }, /verbose_json/],
  [{ response_format: "verbose_json", timestamp_granularities: ["letter"] }, /granularities/],
  [{ temperature: 2 }, /temperature/]
])("with %j is refused with what is wrong", async (changes, message) => {
  const server = await startAudioServer()
  const answer = await server.transcribe(changes)
  expect([answer.status, getMessage(answer.body)]).toEqual([400, expect.stringMatching(message)])
  expect(server.first.requests).toHaveLength(0)
})

test.each([
  ["no file", [["model", "proof/stt"]], /file/],
  ["two files", [...form, ["file", wav, "other.wav"]], /only file/],
  [
    "a file of another name",
    [
      ["audio", wav, "a.wav"],
      ["model", "proof/stt"]
    ],
    /named file/
  ],
  ["no model", [["file", wav, "a.wav"]], /model/],
  ["a model twice", [...form, ["model", "proof/stt"]], /once/],
  ["a temperature that is none", [...form, ["temperature", "warm"]], /number/],
  ["a trace that is no JSON", [...form, ["trace", "{"]], /JSON/],
  ["a stream", [...form, ["stream", "true"]], /stream/],
  ["a recording in JSON beside the file", [...form, ["input_audio", "{}"]], /input_audio/],
  [
    "an empty file",
    [
      ["file", new Blob([]), "a.wav"],
      ["model", "proof/stt"]
    ],
    /empty/
  ]
] as ReadonlyArray<
  readonly [string, ReadonlyArray<readonly [string, string | Blob, string?]>, RegExp]
>)("by a form with %s is refused with what is wrong", async (_, parts, message) => {
  const server = await startAudioServer()
  const answer = await server.sendForm(parts)
  expect([answer.status, getMessage(answer.body)]).toEqual([400, expect.stringMatching(message)])
})

const starts = {
  ogg: Buffer.from("OggS"),
  webm: [0x1a, 0x45, 0xdf, 0xa3],
  m4a: [0, 0, 0, 28, ...Buffer.from("ftypM4A ")],
  nothing: [1, 2, 3, 4]
}

test.each([
  [
    "a voice note called .opus",
    starts.ogg,
    "note.opus",
    "audio/ogg; codecs=opus",
    "ogg",
    "audio/ogg"
  ],
  ["a recording of a browser", starts.webm, "blob", "audio/webm;codecs=opus", "webm", "audio/webm"],
  ["one without a type", starts.webm, "blob", "", "webm", "audio/webm"],
  [
    "one with the ending of another format",
    starts.webm,
    "a.mp3",
    "audio/mpeg",
    "webm",
    "audio/webm"
  ],
  [
    "one with an ending that is none",
    starts.nothing,
    "voice.message",
    "audio/ogg",
    "ogg",
    "audio/ogg"
  ],
  ["a film", starts.m4a, "a.mp4", "video/mp4", "mp4", "video/mp4"],
  [
    "a phone's recording without a name",
    starts.m4a,
    "blob",
    "application/octet-stream",
    "m4a",
    "audio/mp4"
  ],
  ["one of which nothing is known", starts.nothing, "blob", "", "wav", "audio/wav"]
])(
  "of %s is sent under a name by which servers can read it",
  async (_, start, name, type, ending, sent) => {
    const server = await startAudioServer()
    const file = new Blob([new Uint8Array([...start, ...Array<number>(40).fill(7)])], { type })
    const answer = await server.sendForm([["file", file, name], ...form.slice(1)])
    expect(answer.status).toBe(200)
    expect(server.first.requests[0]?.raw).toContain(
      `filename="audio.${ending}"\r\nContent-Type: ${sent}\r\n`
    )
  }
)

test("by JSON that calls Ogg opus is sent as Ogg, which OpenAI takes", async () => {
  const server = await startAudioServer()
  const data = Buffer.from("OggS and more").toString("base64")
  expect((await server.transcribe({ input_audio: { data, format: "opus" } })).status).toBe(200)
  expect(server.first.requests[0]?.raw).toContain('filename="audio.ogg"')
})

test("with numbered brackets loses no times", async () => {
  const server = await startAudioServer()
  const answer = await server.sendForm([
    ...form,
    ["response_format", "verbose_json"],
    ["timestamp_granularities[0]", "word"],
    ["timestamp_granularities[1]", "segment"]
  ])
  expect(answer.body).toMatchObject({ words: [{ word: "Hello" }], segments: [{ id: 0 }] })
})

test("has the probabilities that include asks for", async () => {
  const server = await startAudioServer()
  const logprobs = [{ token: "Hi", logprob: -0.25, bytes: [72, 105] }]
  server.first.always(reply.json({ text: "Hi", logprobs: [...logprobs, { token: "bad" }, null] }))
  const answer = await server.sendForm([...form, ["include[]", "logprobs"]])
  expect(answer.body).toMatchObject({ text: "Hi", logprobs })
  expect(server.first.requests[0]?.raw).toContain('name="include[]"\r\n\r\nlogprobs')
})

test("takes the voices of known speakers, which are longer than other fields", async () => {
  const server = await startAudioServer()
  const voice = `data:audio/wav;base64,${Buffer.from(wavOf(10)).toString("base64")}`
  const answer = await server.sendForm([
    ...form,
    ["known_speaker_names[]", "ann"],
    ["known_speaker_references[]", voice]
  ])
  expect(answer.status).toBe(200)
  expect(server.first.requests[0]?.raw).toContain(voice)
})

test("of more than 25 MB is refused, in JSON and in a form", async () => {
  const server = await startAudioServer({ settings: { maxAudioBytes: 1_000 } })
  const data = Buffer.alloc(1_001).toString("base64")
  for (const answer of [
    await server.transcribe({ input_audio: { data, format: "wav" } }),
    await server.sendForm([["file", new Blob([new Uint8Array(1_001)]), "a.wav"], ...form.slice(1)])
  ]) {
    expect([answer.status, getMessage(answer.body)]).toEqual([
      413,
      "The request body is larger than 1000 bytes (maxAudioBytes)"
    ])
  }
})

describe.each(hosts)("with $name", (host) => {
  test("takes a form with fields of all kinds", async () => {
    const server = await startAudioServer({ host })
    const answer = await server.sendForm([
      ...form,
      ["language", "de"],
      ["prompt", "Names: Grüße"],
      ["response_format", "verbose_json"],
      ["temperature", "0.5"],
      ["timestamp_granularities[]", "word"],
      ["timestamp_granularities[]", "segment"],
      ["session_id", "s-1"],
      ["trace", '{"trace_name":"t"}'],
      ["user", "ann"]
    ])
    expect([answer.status, answer.body]).toMatchObject([
      200,
      { text: "Hello there.", words: [{}], segments: [{}] }
    ])
    const raw = server.first.requests[0]?.raw ?? ""
    for (const text of ["de", "Names: Grüße", "0.5", "word", "segment"]) {
      expect(raw).toContain(`\r\n\r\n${text}\r\n`)
    }
    for (const text of ["s-1", "ann", "trace"]) expect(raw).not.toContain(text)
    expect(await server.getRecord(answer.headers["x-generation-id"])).toMatchObject({
      data: { session_id: "s-1", external_user: "ann" }
    })
  })
})

test.each(pickHosts(import.meta.filename))("takes 25 MB with $name", async (host) => {
  const server = await startAudioServer({ host })
  const file = new Blob([wavOf(1_600)], { type: "audio/wav" })
  const answer = await server.sendForm([["file", file, "long.wav"], ...form.slice(1)])
  expect(answer.status).toBe(200)
})

test("is settled at the length of the header when the provider tells none", async () => {
  const server = await startAudioServer()
  server.first.always(reply.json({ text: "Hi" }))
  const answer = await server.transcribe()
  // Two seconds, and what the header of 44 bytes would last.
  expect(answer.body).toEqual({ text: "Hi", usage: { seconds: 2.003, cost: 0.000_200_3 } })
})

test("never costs more than was reserved, whatever the provider says it heard", async () => {
  const server = await startAudioServer()
  server.first.always(reply.json({ text: "Hi", usage: { type: "duration", seconds: 1e6 } }))
  expect((await server.transcribe()).body).toMatchObject({ usage: { seconds: 4 } })
})

test("falls back to the next provider, and answers JSON that is none by an error", async () => {
  for (const step of [
    fault.status(500),
    fault.drop(),
    fault.notJson(),
    reply.json({ texts: [] })
  ]) {
    const server = await startAudioServer()
    server.first.always(step)
    expect((await server.transcribe()).body).toMatchObject({ text: "Hello there." })
    server.second.always(step)
    expect((await server.transcribe()).status).toBeGreaterThanOrEqual(500)
  }
})

test("from a page of another site is refused when a cookie identifies the caller", async () => {
  const server = await startAudioServer({
    authenticate: ({ headers }) =>
      headers["cookie"] === undefined ? undefined : { user: "ann", account: "default" }
  })
  const fromPage = (origin: string, site: string) =>
    server.sendForm(form, { cookie: "s=1", origin, "sec-fetch-site": site }, "")
  expect((await fromPage("https://elsewhere.example", "cross-site")).status).toBe(403)
  expect((await fromPage(new URL(server.root).origin, "same-origin")).status).toBe(200)
})

test.each([
  ["application/x-www-form-urlencoded", "model=a"],
  ["text/plain", '{"model":"a"}']
])("of the content type %s is refused", async (type, body) => {
  const server = await startAudioServer()
  const answer = await server.call("/audio/transcriptions", {
    body,
    headers: { "content-type": type }
  })
  expect([answer.status, getMessage(answer.body)]).toEqual([
    400,
    expect.stringContaining("application/json or multipart/form-data")
  ])
})

test.each([
  [
    "express.json and express.urlencoded",
    () => [express.json(), express.urlencoded({ extended: true })],
    200
  ],
  ["express.raw", () => [express.raw({ type: "multipart/form-data", limit: "30mb" })], 200],
  ["express.text", () => [express.text({ type: "*/*" })], 400],
  ["a parser of forms such as multer", () => [parseForms], 400]
] as const)("behind %s works, or says what to do", async (_, toMiddleware, status) => {
  const server = await startAudioServer()
  const app = express()
  for (const middleware of toMiddleware()) app.use(middleware)
  app.use("/behind", signalbox(server.instance))
  const running = await toRunningHost(createServer(app))
  onTestFinished(running.close)
  const body = new FormData()
  body.append("file", wav, "audio.wav")
  body.append("model", "proof/stt")
  const answer = await fetch(`${running.origin}/behind/api/v1/audio/transcriptions`, {
    method: "POST",
    headers: { authorization: `Bearer ${keys.member}` },
    body
  })
  const json: unknown = await answer.json()
  const message = answer.status === 400 ? getMessage(json) : "multer, express.raw"
  expect({ status: answer.status, message }).toEqual({
    status,
    message: expect.stringMatching(/multer.*express\.raw/)
  })
})

test("in process takes bytes and base64", async () => {
  const server = await startAudioServer()
  for (const data of [wavOf(2), transcriptionRequest.input_audio.data]) {
    expect(
      await server.instance.transcribe({
        model: "proof/stt",
        input_audio: { data, format: "wav" },
        provider: { order: ["first"] }
      })
    ).toMatchObject({ text: "Hello there.", model: "proof/stt", provider: "first" })
  }
})

test("is planned with its price", async () => {
  const server = await startAudioServer()
  const { body, status } = await server.post(
    "/signalbox/plan",
    { request: transcriptionRequest },
    { key: keys.management }
  )
  expect(status).toBe(200)
  expect(JSON.stringify(body)).toContain("proof/stt@first")
})
