/** Speech and transcriptions by the public clients of OpenAI and OpenRouter, and by the AI SDK over HTTP and in process. */
import { createOpenAI } from "@ai-sdk/openai"
import { OpenRouter } from "@openrouter/sdk"
import { signalboxProvider } from "@signalbox/ai-sdk"
import { audioOf, fault, reply } from "@signalbox/testing"
import { APICallError, generateSpeech, transcribe } from "ai"
import OpenAI, { BadRequestError, toFile } from "openai"
import { describe, expect, test } from "vitest"
import { startAudioServer, wavOf } from "../audio/startAudioServer.ts"
import { pickHosts } from "../support/pickHosts.ts"
import { keys } from "../support/TestServer.ts"

const hosts = pickHosts(import.meta.filename)
const input = "Hello 🎬!"

const toBytes = (bytes: Uint8Array | ArrayBuffer) => Buffer.from(bytes as Uint8Array)

describe.each(hosts)("OpenAI's client, against $name", (host) => {
  const start = async () => {
    const server = await startAudioServer({ host })
    const baseURL = server.root
    return { ...server, client: new OpenAI({ apiKey: keys.member, baseURL, maxRetries: 0 }) }
  }

  test("speaks", async () => {
    const { client } = await start()
    const speech = { model: "proof/tts", input, voice: "alloy" }
    const plain = await client.audio.speech.create(speech)
    expect(plain.headers.get("content-type")).toBe("audio/pcm")
    expect(toBytes(await plain.arrayBuffer())).toEqual(toBytes(audioOf("pcm", input)))
    const mp3 = await client.audio.speech.create({ ...speech, response_format: "mp3", speed: 2 })
    expect(toBytes(await mp3.arrayBuffer())).toEqual(toBytes(audioOf("mp3", input)))
    await expect(
      client.audio.speech.create({ ...speech, model: "proof/chat" })
    ).rejects.toBeInstanceOf(BadRequestError)
  })

  test("transcribes, with times", async () => {
    const { client } = await start()
    const file = await toFile(wavOf(2), "audio.wav")
    const plain = await client.audio.transcriptions.create({ model: "proof/stt", file })
    expect(plain.text).toBe("Hello there.")
    const verbose = await client.audio.transcriptions.create({
      model: "proof/stt",
      file,
      language: "en",
      response_format: "verbose_json",
      timestamp_granularities: ["word", "segment"]
    })
    expect(verbose).toMatchObject({
      duration: 2,
      words: [{ word: "Hello", start: 0, end: 0.5 }],
      segments: [{ id: 0, end: 2 }]
    })
    await expect(
      client.audio.transcriptions.create({ model: "proof/stt", file, stream: true })
    ).rejects.toBeInstanceOf(BadRequestError)
  })
})

describe.each(hosts)("OpenRouter's client, against $name", (host) => {
  const start = async () => {
    const server = await startAudioServer({ host })
    const client = new OpenRouter({ apiKey: keys.member, serverURL: server.root })
    return { ...server, client }
  }

  test("speaks", async () => {
    const { client } = await start()
    const stream = await client.tts.createSpeech({
      speechRequest: { model: "proof/tts", input, voice: "alloy" }
    })
    const bytes = await new Response(stream as ReadableStream).arrayBuffer()
    expect(toBytes(bytes)).toEqual(toBytes(audioOf("pcm", input)))
  })

  test("lists endpoints, of which none imitates voices", async () => {
    const { client } = await start()
    const { data } = await client.endpoints.list({ author: "proof", slug: "tts" })
    expect(data.endpoints.map((endpoint) => endpoint.supportsVoiceCloning)).toEqual([false, false])
  })

  test("transcribes, by JSON and by a form", async () => {
    const { client } = await start()
    const byJson = await client.stt.createTranscription({
      sttRequest: {
        model: "proof/stt",
        inputAudio: { data: Buffer.from(wavOf(2)).toString("base64"), format: "wav" }
      }
    })
    expect(byJson).toMatchObject({ text: "Hello there.", usage: { seconds: 2, cost: 0.0002 } })
    const byForm = await client.stt.createTranscriptionMultipart({
      requestBody: {
        model: "proof/stt",
        file: { fileName: "audio.wav", content: wavOf(2) },
        responseFormat: "verbose_json",
        timestampGranularities: ["word"]
      }
    })
    expect(byForm).toMatchObject({ text: "Hello there.", words: [{ word: "Hello" }] })
  })
})

describe("the AI SDK", () => {
  const makers = [
    [
      "over HTTP",
      ({ root }: { readonly root: string }) => {
        const provider = createOpenAI({ apiKey: keys.member, baseURL: root })
        return { speech: provider.speech("proof/tts"), heard: provider.transcription("proof/stt") }
      }
    ],
    [
      "in process",
      ({ instance }: Pick<Awaited<ReturnType<typeof startAudioServer>>, "instance">) => {
        const provider = signalboxProvider(instance)
        return {
          speech: provider.speechModel("proof/tts"),
          heard: provider.transcriptionModel("proof/stt")
        }
      }
    ]
  ] as const

  test.each(makers)("speaks and transcribes %s", async (_, make) => {
    const server = await startAudioServer()
    const { heard, speech } = make(server)
    const { audio } = await generateSpeech({
      model: speech,
      text: input,
      voice: "alloy",
      maxRetries: 0
    })
    expect(audio.mediaType).toBe("audio/mpeg")
    expect(toBytes(audio.uint8Array)).toEqual(toBytes(audioOf("mp3", input)))
    const transcript = await transcribe({ model: heard, audio: wavOf(2), maxRetries: 0 })
    expect(transcript.text).toBe("Hello there.")
    server.first.always(fault.status(400))
    server.second.always(fault.status(400))
    const refused = transcribe({ model: heard, audio: wavOf(2), maxRetries: 0 })
    await expect(refused).rejects.toBeInstanceOf(APICallError)
    server.first.always(reply.audio([]))
    server.second.always(reply.audio([]))
    const silent = generateSpeech({ model: speech, text: input, voice: "alloy", maxRetries: 0 })
    await expect(silent).rejects.toBeInstanceOf(APICallError)
  })
})
