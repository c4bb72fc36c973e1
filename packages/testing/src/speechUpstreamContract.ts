/** A test suite for upstreams that speak. */
import type {
  AudioFormat,
  SpeechCall,
  SpeechCapability,
  SpeechEvent,
  Upstream
} from "@signalbox/core/upstream"
import { toStream } from "@signalbox/core/upstream"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import type * as HttpClient from "effect/http/HttpClient"
import type * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { describe, expect, test } from "vitest"
import * as fault from "./fault.ts"
import { registerNothing } from "./registerNothing.ts"
import * as reply from "./reply.ts"
import { getFailure, runCall, testFailures, testInterruption } from "./runUpstream.ts"
import { ScriptedUpstream } from "./ScriptedUpstream.ts"
import { audioOf } from "./toAudioResponse.ts"

export interface SpeechUpstreamContractOptions {
  /** The HTTP client; default: `fetch`. */
  readonly client?: Layer.Layer<HttpClient.HttpClient>
  /** The name of a model; default: `contract-model`. */
  readonly model?: string
  /** The format of the audio; default: `mp3`. */
  readonly format?: AudioFormat
  /** What a request has at least, if nothing but these is asked for; default: as in OpenAI's API. */
  readonly toBody?: (call: SpeechCall) => object
  /** The header of the key; default: `authorization`, with `Bearer`. */
  readonly keyHeader?: string
  /** Whether it takes a pace; default: true. */
  readonly takesSpeed?: boolean
  /** Whether it passes bytes on as they arrive; default: true. False for libraries that return the whole audio. */
  readonly streams?: boolean
  /** Whether it uses a customer's own credential; default: true. */
  readonly takesCredentials?: boolean
}

const toOpenAiBody = ({ format, input, instructions, speed, voice }: SpeechCall) => ({
  input,
  voice,
  response_format: format,
  instructions,
  ...(speed === undefined ? undefined : { speed })
})

/**
 * Runs the suite against the upstream that `make` builds for a provider at `url` (the root of a `ScriptedUpstream`).
 *
 * ```ts no-run
 * speechUpstreamContract("mine", (url) => mine({ baseUrl: url }))
 * ```
 */
export const speechUpstreamContract = (
  name: string,
  make: (url: string) => Upstream,
  {
    client = FetchHttpClient.layer,
    format = "mp3",
    keyHeader = "authorization",
    model = "contract-model",
    streams = true,
    takesCredentials = true,
    takesSpeed = true,
    toBody = toOpenAiBody
  }: SpeechUpstreamContractOptions = {}
): void => {
  const call: SpeechCall = { model, input: "wéll 🎬", format, voice: "alloy", parameters: {} }
  const capabilityAt = (url: string): SpeechCapability => {
    const { speech } = make(url)
    if (speech === undefined) throw new Error(`${name} does not speak`)
    return speech
  }
  const speakAt = (url: string, changes: Partial<SpeechCall> = {}) => {
    const source = capabilityAt(url).speak({ ...call, ...changes })
    return Stream.isStream(source) ? source : toStream(source)
  }
  const speak = (provider: ScriptedUpstream, changes?: Partial<SpeechCall>) =>
    runCall(Stream.runCollect(speakAt(provider.url, changes)), client)

  describe(`${name} as an upstream of speech`, () => {
    test("streams the audio, and ends it, by one request", async () => {
      await using provider = await ScriptedUpstream.start()
      const changes = { instructions: "Whisper.", ...(takesSpeed ? { speed: 2 } : undefined) }
      const events = Result.getOrThrow(await speak(provider, changes))
      expect(join(events)).toEqual(Buffer.from(audioOf(format, call.input)))
      expect(events.map(({ type }) => type).indexOf("end")).toBe(events.length - 1)
      expect(provider.requests).toHaveLength(1)
      expect(provider.requests[0]).toMatchObject({ model, body: toBody({ ...call, ...changes }) })
    })

    const testOfSpeed = takesSpeed ? registerNothing : test
    testOfSpeed("refuses a pace, and sends nothing", async () => {
      await using provider = await ScriptedUpstream.start()
      expect(getFailure(await speak(provider, { speed: 2 })).kind).toBe("unsupported_parameter")
      expect(provider.requests).toHaveLength(0)
    })

    test("reserves tokens, whole numbers above 0", () => {
      const worst = capabilityAt("http://127.0.0.1:1").estimateWorstCase(call)
      for (const count of [worst.inputTokens, worst.outputTokens]) {
        expect(Number.isSafeInteger(count) && count > 0).toBe(true)
      }
    })

    const testOfStreams = streams ? test : registerNothing
    testOfStreams("passes on the first bytes before the last ones are there", async () => {
      await using provider = await ScriptedUpstream.start()
      provider.always(reply.audio([audioOf(format, "one"), provider.gate()]))
      const first = await runCall(Stream.runHead(speakAt(provider.url)), client)
      expect(Result.getOrThrow(first)).toMatchObject({ value: { type: "audio" } })
      await provider.waitForAborts(1)
    })

    const testOfCredentials = takesCredentials ? test : registerNothing
    testOfCredentials("sends a customer's own credential in place of the host's", async () => {
      await using provider = await ScriptedUpstream.start()
      Result.getOrThrow(await speak(provider, { credential: Redacted.make("sk-of-a-customer") }))
      const sent = provider.requests[0]?.headers[keyHeader]
      expect(sent?.replace("Bearer ", "")).toBe("sk-of-a-customer")
    })

    testFailures(speak, [])

    test("fails where the body breaks off, and does not end it", async () => {
      await using provider = await ScriptedUpstream.start()
      const audio = reply.audio([audioOf(format, "one"), Buffer.from("two")])
      provider.always(fault.drop("response_body", audio))
      expect(getFailure(await speak(provider)).kind).toMatch(/unreachable|invalid_answer/)
    })

    testInterruption(
      (url) => Stream.runDrain(speakAt(url)),
      client,
      (gate) => reply.audio([audioOf(format, "one"), gate])
    )
  })
}

const join = (events: ReadonlyArray<SpeechEvent>) =>
  Buffer.concat(events.flatMap((event) => (event.type === "audio" ? [event.bytes] : [])))
