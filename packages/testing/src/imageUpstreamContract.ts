/** A test suite for upstreams that make images. */
import type { ImageCall, ImageCapability, ImageProgress, Upstream } from "@signalbox/core/upstream"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import type * as HttpClient from "effect/http/HttpClient"
import type * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { describe, expect, test } from "vitest"
import * as fault from "./fault.ts"
import { imageOf } from "./imageOf.ts"
import { registerNothing } from "./registerNothing.ts"
import * as reply from "./reply.ts"
import { getFailure, runCall, testFailures, testInterruption } from "./runUpstream.ts"
import { ScriptedUpstream } from "./ScriptedUpstream.ts"

export interface ImageUpstreamContractOptions {
  /** The HTTP client; default: `fetch`. */
  readonly client?: Layer.Layer<HttpClient.HttpClient>
  /** The name of a model; default: `contract-model`. */
  readonly model?: string
  /** The header of the key; default: `authorization`, with `Bearer`. */
  readonly keyHeader?: string
  /** The most images of one call; default: 10. */
  readonly maxImages?: number
  /** Whether it reports the tokens of the provider; default: true. */
  readonly reportsUsage?: boolean
  /** Whether the cost of a call is the one that the usage reports, in USD. */
  readonly reportsCost?: boolean
  /** Whether it takes references; default: true. */
  readonly takesReferences?: boolean
  /** Whether it sends previews; default: false. */
  readonly streams?: boolean
  /** Whether a library sends the requests and reads the answers, which may hide who was asked. Default false. */
  readonly usesLibrary?: boolean
}

/**
 * Runs the suite against the upstream that `make` builds for a provider at `url` (the root of a
 * `ScriptedUpstream`).
 *
 * ```ts no-run
 * imageUpstreamContract("mine", (url) => mine({ baseUrl: url }))
 * ```
 */
export const imageUpstreamContract = (
  name: string,
  make: (url: string) => Upstream,
  {
    client = FetchHttpClient.layer,
    keyHeader = "authorization",
    maxImages = 10,
    model = "contract-model",
    reportsCost = false,
    reportsUsage = true,
    streams = false,
    takesReferences = true,
    usesLibrary = false
  }: ImageUpstreamContractOptions = {}
): void => {
  const call: ImageCall = {
    model,
    prompt: "A lighthouse",
    n: 1,
    size: "1024x1024",
    references: [],
    parameters: {}
  }
  const capabilityAt = (url: string): ImageCapability => {
    const { images } = make(url)
    if (images === undefined) throw new Error(`${name} makes no images`)
    return images
  }
  const generate = (provider: ScriptedUpstream, changes: Partial<ImageCall> = {}) =>
    runCall(capabilityAt(provider.url).generate({ ...call, ...changes }), client)

  describe(`${name} as an upstream of images`, () => {
    test("has a slug and a name", () => {
      const { name: shown, slug } = make("http://127.0.0.1:1")
      expect(slug).not.toBe("")
      expect(shown).not.toBe("")
    })

    test("makes an image, by one request", async () => {
      await using provider = await ScriptedUpstream.start()
      provider.always(reply.images({ size: "1024x1024" }))
      const made = Result.getOrThrow(await generate(provider))
      expect(made.images.map(({ base64 }) => base64)).toEqual([imageOf("1024x1024")])
      expect(provider.requests).toHaveLength(1)
      expect(provider.requests[0]?.model).toBe(model)
      expect(provider.requests[0]?.raw).toContain("A lighthouse")
    })

    when(maxImages >= 3)("makes several images by one request", async () => {
      await using provider = await ScriptedUpstream.start()
      const made = Result.getOrThrow(await generate(provider, { n: 3 }))
      expect(made.images).toHaveLength(3)
      expect(provider.requests).toHaveLength(1)
    })

    when(maxImages < 10)("refuses more images than it makes, and sends nothing", async () => {
      await using provider = await ScriptedUpstream.start()
      expect(getFailure(await generate(provider, { n: maxImages + 1 })).kind).toBe(
        "unsupported_parameter"
      )
      expect(provider.requests).toHaveLength(0)
    })

    when(reportsUsage)("reports the usage of the provider, within its worst case", async () => {
      await using provider = await ScriptedUpstream.start()
      provider.always(reply.images({ usage: { inputTokens: 17, outputTokens: 1_056 } }))
      const { usage } = Result.getOrThrow(await generate(provider))
      expect(usage).toMatchObject({ inputTokens: 17, outputTokens: 1_056 })
      const worst = capabilityAt(provider.url).estimateWorstCase(call)
      expect(worst.inputTokens).toBeGreaterThanOrEqual(17)
      expect(worst.outputTokens).toBeGreaterThanOrEqual(1_056)
    })

    test("reports no usage when the provider reports none", async () => {
      await using provider = await ScriptedUpstream.start()
      provider.always(reply.images({ omitsUsage: true }))
      const made = Result.getOrThrow(await generate(provider))
      expect(made.usage).toBeUndefined()
      expect(made.images).toHaveLength(1)
    })

    when(takesReferences)("sends references, and counts them in its worst case", async () => {
      await using provider = await ScriptedUpstream.start()
      const references = [1, 2].map((number) => `data:image/png;base64,${imageOf("64x64", number)}`)
      const made = Result.getOrThrow(await generate(provider, { references }))
      expect(made.images).toHaveLength(1)
      expect(provider.requests).toHaveLength(1)
      const { estimateWorstCase } = capabilityAt(provider.url)
      expect(estimateWorstCase({ ...call, references }).inputTokens).toBeGreaterThan(
        estimateWorstCase(call).inputTokens
      )
    })

    when(!takesReferences)("refuses references, and sends nothing", async () => {
      await using provider = await ScriptedUpstream.start()
      const references = [`data:image/png;base64,${imageOf("64x64")}`]
      expect(getFailure(await generate(provider, { references })).kind).toBe(
        "unsupported_parameter"
      )
      expect(provider.requests).toHaveLength(0)
    })

    when(streams)("reports previews before the images, in order", async () => {
      await using provider = await ScriptedUpstream.start()
      const seen: Array<ImageProgress> = []
      const made = Result.getOrThrow(
        await generate(provider, { previews: 3, onProgress: (progress) => seen.push(progress) })
      )
      expect(seen.map((each) => (each.type === "preview" ? each.index : each.type))).toEqual([
        0, 1, 2
      ])
      expect(made.images.map(({ base64 }) => base64)).toEqual([imageOf("1024x1024")])
    })

    when(streams && takesReferences)("reports previews of an image made from others", async () => {
      await using provider = await ScriptedUpstream.start()
      const seen: Array<ImageProgress> = []
      const made = Result.getOrThrow(
        await generate(provider, {
          references: [`data:image/png;base64,${imageOf("64x64", 1)}`],
          previews: 1,
          onProgress: (progress) => seen.push(progress)
        })
      )
      expect(seen).toMatchObject([{ type: "preview", index: 0 }])
      expect(made.images).toHaveLength(1)
    })

    when(streams)("fails when a stream ends before its images", async () => {
      await using provider = await ScriptedUpstream.start()
      provider.script(reply.images({ error: "The model is busy" }))
      expect(getFailure(await generate(provider, { onProgress: ignoreProgress })).kind).toBe(
        "server_error"
      )
      provider.script(fault.truncated("chunked", reply.images()))
      expect(["unreachable", "invalid_answer"]).toContain(
        getFailure(await generate(provider, { onProgress: ignoreProgress })).kind
      )
    })

    when(!usesLibrary)("sends a customer's own credential in place of the host's", async () => {
      await using provider = await ScriptedUpstream.start()
      const credential = Redacted.make("sk-of-a-customer")
      Result.getOrThrow(await generate(provider, { credential }))
      Result.getOrThrow(await generate(provider))
      const sent = provider.requests.map(({ headers }) => headers[keyHeader])
      expect(sent[0]).toContain("sk-of-a-customer")
      expect(String(sent[1])).not.toContain("sk-of-a-customer")
    })

    when(reportsCost)("reports the cost of the provider", async () => {
      await using provider = await ScriptedUpstream.start()
      provider.always(reply.images({ cost: 0.04 }))
      expect(Result.getOrThrow(await generate(provider)).cost).toBe(40_000_000n)
    })

    testFailures(generate)

    when(!usesLibrary)("says that a prompt was refused: content_refused", async () => {
      await using provider = await ScriptedUpstream.start()
      provider.always(fault.refusal("filter"))
      expect(getFailure(await generate(provider)).kind).toBe("content_refused")
    })

    testInterruption((url) => capabilityAt(url).generate(call), client)
  })
}

const when = (condition: boolean) => (condition ? test : registerNothing)

const ignoreProgress = () => undefined
