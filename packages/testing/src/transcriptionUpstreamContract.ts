/** A test suite for upstreams that transcribe. */
import type { TranscriptionCall, TranscriptionCapability, Upstream } from "@signalbox/core/upstream"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import type * as HttpClient from "effect/http/HttpClient"
import type * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { describe, expect, test } from "vitest"
import { registerNothing } from "./registerNothing.ts"
import { runCall, testFailures, testInterruption } from "./runUpstream.ts"
import { ScriptedUpstream } from "./ScriptedUpstream.ts"

export interface TranscriptionUpstreamContractOptions {
  /** The HTTP client; default: `fetch`. */
  readonly client?: Layer.Layer<HttpClient.HttpClient>
  /** The name of a model; default: `contract-model`. */
  readonly model?: string
  /** The header of the key; default: `authorization`, with `Bearer`. */
  readonly keyHeader?: string
  /** Whether it tells the length of the recording; default: true. */
  readonly tellsLength?: boolean
  /** Whether it tells the times of segments; default: true. */
  readonly hasSegments?: boolean
  /** Whether it uses a customer's own credential; default: true. */
  readonly takesCredentials?: boolean
}

/**
 * Runs the suite against the upstream that `make` builds for a provider at `url` (the root of a `ScriptedUpstream`).
 *
 * ```ts no-run
 * transcriptionUpstreamContract("mine", (url) => mine({ baseUrl: url }))
 * ```
 */
export const transcriptionUpstreamContract = (
  name: string,
  make: (url: string) => Upstream,
  {
    client = FetchHttpClient.layer,
    hasSegments = true,
    keyHeader = "authorization",
    model = "contract-model",
    takesCredentials = true,
    tellsLength = true
  }: TranscriptionUpstreamContractOptions = {}
): void => {
  const call: TranscriptionCall = {
    model,
    audio: {
      bytes: new Uint8Array([0x52, 0x49, 0x46, 0x46, 0, 0xff, 13, 10]),
      format: "wav",
      mediaType: "audio/wav"
    },
    maxMillis: 2_000,
    isVerbose: false,
    granularities: [],
    parameters: {}
  }
  const capabilityAt = (url: string): TranscriptionCapability => {
    const { transcription } = make(url)
    if (transcription === undefined) throw new Error(`${name} does not transcribe`)
    return transcription
  }
  const transcribe = (provider: ScriptedUpstream, changes: Partial<TranscriptionCall> = {}) =>
    runCall(capabilityAt(provider.url).transcribe({ ...call, ...changes }), client)

  describe(`${name} as an upstream of transcriptions`, () => {
    test("returns the text, by one request", async () => {
      await using provider = await ScriptedUpstream.start()
      expect(Result.getOrThrow(await transcribe(provider)).text).toBe("Hello there.")
      expect(provider.requests).toHaveLength(1)
      expect(provider.requests[0]?.model).toBe(model)
    })

    const testOfSegments = hasSegments ? test : registerNothing
    testOfSegments("returns the times of segments in seconds", async () => {
      await using provider = await ScriptedUpstream.start()
      const verbose = await transcribe(provider, { isVerbose: true })
      expect(Result.getOrThrow(verbose)).toMatchObject({
        ...(tellsLength ? { seconds: 2 } : undefined),
        segments: [{ id: 0, start: 0, end: 2, text: "Hello there." }]
      })
    })

    test("reserves tokens, whole numbers above 0", () => {
      const worst = capabilityAt("http://127.0.0.1:1").estimateWorstCase(call)
      for (const count of [worst.inputTokens, worst.outputTokens]) {
        expect(Number.isSafeInteger(count) && count > 0).toBe(true)
      }
    })

    const testOfCredentials = takesCredentials ? test : registerNothing
    testOfCredentials("sends a customer's own credential in place of the host's", async () => {
      await using provider = await ScriptedUpstream.start()
      const credential = Redacted.make("sk-of-a-customer")
      Result.getOrThrow(await transcribe(provider, { credential }))
      const sent = provider.requests[0]?.headers[keyHeader]
      expect(sent?.replace("Bearer ", "")).toBe("sk-of-a-customer")
    })

    testFailures(transcribe)

    testInterruption((url) => capabilityAt(url).transcribe(call), client)
  })
}
