/** Speech and transcriptions by Gemini, against the contract suites, and what only its models have. */
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import type { SpeechCall, TranscriptionCall, Upstream } from "@signalbox/core/upstream"
import { toStream } from "@signalbox/core/upstream"
import { audioOf, reply, ScriptedUpstream } from "@signalbox/testing"
import { speechUpstreamContract, transcriptionUpstreamContract } from "@signalbox/testing/contracts"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { describe, expect, test } from "vitest"
import { google, vertex } from "../src/index.ts"

const at = (url: string) => google({ baseUrl: `${url}/v1beta`, apiKey: "sk-contract" })
const onVertex = (url: string) =>
  vertex({ project: "my-project", location: "global", token: () => "a-token", baseUrl: url })

const toBody = ({ input, instructions, voice }: SpeechCall) => ({
  contents: [{ role: "user", parts: [{ text: input, speechMetadata: { style: instructions } }] }],
  generationConfig: { responseModalities: ["AUDIO"], speechConfig: { voiceConfig: { voice } } }
})
const toEarlierBody = ({ voice }: SpeechCall) => ({
  contents: [{ role: "user", parts: [{ text: expect.stringContaining("wéll 🎬") }] }],
  generationConfig: {
    speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: voice } } }
  }
})
const keyHeader = "x-goog-api-key"
const speech = { format: "pcm", takesSpeed: false, toBody } as const
speechUpstreamContract("google", at, { ...speech, keyHeader, model: "gemini-3.8-flash-tts" })
speechUpstreamContract("google before 3.8", at, {
  ...speech,
  keyHeader,
  model: "gemini-2.5-flash-preview-tts",
  streams: false,
  toBody: toEarlierBody
})
speechUpstreamContract("vertex", onVertex, { ...speech, model: "gemini-3.8-flash-lite-tts" })

const transcribing = { model: "gemini-3.5-transcribe", tellsLength: false }
transcriptionUpstreamContract("google", at, { ...transcribing, keyHeader })
transcriptionUpstreamContract("vertex", onVertex, transcribing)

const speak = async (upstream: Upstream, changes: Partial<SpeechCall>) => {
  const call = {
    model: "gemini-3.8-flash-tts",
    input: "Hi",
    format: "pcm",
    parameters: {}
  } as const
  const source = upstream.speech!.speak({ ...call, ...changes })
  const events = Stream.runCollect(Stream.isStream(source) ? source : toStream(source))
  return Effect.runPromise(Effect.provide(Effect.result(events), FetchHttpClient.layer))
}

const joinAudio = (result: Awaited<ReturnType<typeof speak>>) =>
  Buffer.concat(
    Result.getOrThrow(result).flatMap((event) => (event.type === "audio" ? [event.bytes] : []))
  )

describe("speech", () => {
  test("of a model before 3.8 is asked for as a whole, in its words", async () => {
    await using provider = await ScriptedUpstream.start()
    const call = { model: "gemini-2.5-flash-preview-tts", voice: "Kore", instructions: "Softly" }
    expect(joinAudio(await speak(at(provider.url), call))).toEqual(
      Buffer.from(audioOf("pcm", "Hi"))
    )
    const [request] = provider.requests
    expect(request?.path).toBe("/v1beta/models/gemini-2.5-flash-preview-tts:generateContent")
    expect(request?.body).toEqual({
      contents: [{ role: "user", parts: [{ text: "Softly\n\nHi" }] }],
      generationConfig: {
        responseModalities: ["AUDIO"],
        speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: "Kore" } } }
      }
    })
  })

  test("as WAV gets a header with the rate, unless the provider sends one", async () => {
    await using provider = await ScriptedUpstream.start()
    const samples = new Uint8Array([1, 2, 3, 4])
    provider.script(
      reply.audio([samples], { contentType: "audio/L16;codec=pcm;rate=16000" }),
      reply.audio([audioOf("wav", "whole")], { contentType: "audio/wav" })
    )
    const made = joinAudio(await speak(at(provider.url), { format: "wav" }))
    expect(made.length).toBe(48)
    expect([made.toString("latin1", 0, 4), made.readUInt32LE(24), made.readUInt32LE(40)]).toEqual([
      "RIFF",
      16_000,
      4
    ])
    expect(joinAudio(await speak(at(provider.url), { format: "wav" }))).toEqual(
      Buffer.from(audioOf("wav", "whole"))
    )
  })

  test("keeps the options of the caller, and names usage, id and model at the end", async () => {
    await using provider = await ScriptedUpstream.start()
    const parameters = { seed: 7, speechConfig: { languageCode: "de-DE" } }
    const result = await speak(at(provider.url), { voice: "Puck", parameters })
    expect(provider.requests[0]?.body).toMatchObject({
      generationConfig: {
        seed: 7,
        speechConfig: { languageCode: "de-DE", voiceConfig: { voice: "Puck" } }
      }
    })
    expect(Result.getOrThrow(result).at(-1)).toMatchObject({
      type: "end",
      usage: { inputTokens: 9, outputTokens: 48 },
      id: "response-1",
      model: "gemini-3.8-flash-tts"
    })
  })

  const answerWith = (changes: object) =>
    reply.events([
      { data: JSON.stringify({ candidates: [{ content: { parts: [sample] }, ...changes }] }) }
    ])
  const sample = { inlineData: { mimeType: "audio/L16", data: "AAEAAg==" } }
  test.each([
    ["OTHER", "invalid_answer"],
    ["MAX_TOKENS", "invalid_answer"],
    ["SAFETY", "content_refused"],
    [undefined, "invalid_answer"]
  ])("that ends with %s is not whole: %s", async (finishReason, kind) => {
    await using provider = await ScriptedUpstream.start()
    provider.always(answerWith({ finishReason }))
    const result = await speak(at(provider.url), {})
    expect(Result.isFailure(result) && result.failure.kind).toBe(kind)
  })

  test("in the voice of a recording is refused, and nothing is sent", async () => {
    await using provider = await ScriptedUpstream.start()
    const result = await speak(at(provider.url), { reference: { data: "AA==" } })
    expect(Result.isFailure(result) && result.failure.kind).toBe("unsupported_parameter")
    expect(provider.requests).toHaveLength(0)
  })
})

const transcribe = (url: string, changes: Partial<TranscriptionCall> = {}) => {
  const call: TranscriptionCall = {
    model: "gemini-3.5-transcribe",
    audio: { bytes: new Uint8Array([1, 2, 3]), format: "m4a", mediaType: "audio/mp4" },
    maxMillis: 2_000,
    isVerbose: false,
    granularities: [],
    parameters: {}
  }
  const reply = at(url).transcription!.transcribe({ ...call, ...changes })
  return Effect.runPromise(Effect.provide(Effect.result(reply), FetchHttpClient.layer))
}

describe("transcriptions", () => {
  test("send the recording, the language and the options", async () => {
    await using provider = await ScriptedUpstream.start()
    const parameters = { audioTranscriptionConfig: { customVocabulary: ["Signalbox"] } }
    await transcribe(provider.url, { language: "de", temperature: 0, parameters })
    expect(provider.requests[0]?.body).toEqual({
      contents: [
        { role: "user", parts: [{ inlineData: { mimeType: "audio/m4a", data: "AQID" } }] }
      ],
      generationConfig: {
        temperature: 0,
        audioTranscriptionConfig: { customVocabulary: ["Signalbox"], languageCodes: ["de"] }
      }
    })
  })

  test("have times and speakers of words, and segments made of them", async () => {
    await using provider = await ScriptedUpstream.start()
    const verbose = Result.getOrThrow(await transcribe(provider.url, { isVerbose: true }))
    expect(verbose).toMatchObject({
      text: "Hello there.",
      words: [
        { word: "Hello", start: 0, end: 0.5, speaker: 1 },
        { word: "there.", start: 0.75, end: 2, speaker: 1 }
      ],
      segments: [{ id: 0, start: 0, end: 2, text: "Hello there.", speaker: 1 }]
    })
  })

  test("read a text that is only in its words, and drop times that are none", async () => {
    await using provider = await ScriptedUpstream.start()
    const words = [
      { word: "Guten", startOffset: "0.1s", endOffset: "0.4s" },
      { word: "Tag", startOffset: "soon", endOffset: "0.9s" }
    ]
    const parts = [{ audioTranscription: { words, languageCode: "de-DE" } }]
    provider.always(reply.json({ candidates: [{ content: { parts }, finishReason: "STOP" }] }))
    expect(Result.getOrThrow(await transcribe(provider.url, { isVerbose: true }))).toEqual({
      text: "Guten",
      language: "de-DE",
      words: [{ word: "Guten", start: 0.1, end: 0.4 }],
      segments: [{ id: 0, start: 0.1, end: 0.4, text: "Guten" }]
    })
  })

  test("of silence are empty, and one that broke off is none", async () => {
    await using provider = await ScriptedUpstream.start()
    provider.script(reply.json({ candidates: [{ finishReason: "STOP" }] }))
    expect(Result.getOrThrow(await transcribe(provider.url))).toEqual({ text: "" })
    provider.script(
      reply.json({
        candidates: [{ content: { parts: [{ text: "a" }] }, finishReason: "MAX_TOKENS" }]
      })
    )
    const cut = await transcribe(provider.url)
    expect(Result.isFailure(cut) && cut.failure.kind).toBe("invalid_answer")
  })

  test.each([
    ["another model", { model: "gemini-3.8-flash" }],
    ["a prompt", { parameters: { prompt: "Names: Grüße" } }]
  ])("by %s are refused, and nothing is sent", async (_, changes) => {
    await using provider = await ScriptedUpstream.start()
    const result = await transcribe(provider.url, changes)
    expect(Result.isFailure(result) && result.failure.kind).toBe("unsupported_parameter")
    expect(provider.requests).toHaveLength(0)
  })
})
