/** A test suite for upstreams that transcribe. */
import type { TranscriptionCall, TranscriptionCapability, Upstream } from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import type * as HttpClient from "effect/http/HttpClient"
import type * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { describe, expect, test } from "vitest"
import * as fault from "./fault.ts"
import * as pace from "./pace.ts"
import { registerNothing } from "./registerNothing.ts"
import * as reply from "./reply.ts"
import { failureCases, getFailure, runCall } from "./runUpstream.ts"
import { ScriptedUpstream } from "./ScriptedUpstream.ts"

export interface TranscriptionUpstreamContractOptions {
  /** The HTTP client; default: `fetch`. */
  readonly client?: Layer.Layer<HttpClient.HttpClient>
  /** Whether it tells the times of segments; default: true. */
  readonly hasSegments?: boolean
  /** Whether it uses a customer's own credential; default: true. */
  readonly takesCredentials?: boolean
}

const call: TranscriptionCall = {
  model: "contract-model",
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
    takesCredentials = true
  }: TranscriptionUpstreamContractOptions = {}
): void => {
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
      expect(provider.requests[0]?.model).toBe("contract-model")
    })

    const testOfSegments = hasSegments ? test : registerNothing
    testOfSegments("returns the times of segments in seconds", async () => {
      await using provider = await ScriptedUpstream.start()
      const verbose = await transcribe(provider, { isVerbose: true })
      expect(Result.getOrThrow(verbose)).toMatchObject({
        seconds: 2,
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
      expect(provider.requests[0]?.headers["authorization"]).toBe("Bearer sk-of-a-customer")
    })

    test.each(failureCases)(
      "fails once, and never tries again, after a %i: %s",
      async (status, kind) => {
        await using provider = await ScriptedUpstream.start()
        provider.always(fault.status(status))
        expect(getFailure(await transcribe(provider))).toMatchObject({ kind, status })
        expect(provider.requests).toHaveLength(1)
      }
    )

    test.each([
      ["no body", fault.empty()],
      ["another body", fault.notJson()],
      ["JSON of another kind", reply.json({ object: "list" })]
    ])("fails after %s: invalid_answer", async (_, step) => {
      await using provider = await ScriptedUpstream.start()
      provider.always(step)
      expect(getFailure(await transcribe(provider)).kind).toBe("invalid_answer")
    })

    test("closes the connection if it is interrupted", async () => {
      await using provider = await ScriptedUpstream.start()
      provider.always(pace.hold(provider.gate()))
      const fiber = Effect.runFork(
        Effect.provide(Effect.result(capabilityAt(provider.url).transcribe(call)), client)
      )
      await provider.waitForRequests(1)
      await Effect.runPromise(Fiber.interrupt(fiber))
      await provider.waitForAborts(1)
      expect(provider.requests[0]?.aborted).toBe(true)
    })
  })
}
