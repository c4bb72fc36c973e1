/** A test suite for upstreams with embeddings. */
import type {
  EmbeddingCall,
  EmbeddingCapability,
  EmbeddingReply,
  Upstream
} from "@signalbox/core/upstream"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import type * as HttpClient from "effect/http/HttpClient"
import type * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { describe, expect, test } from "vitest"
import { registerNothing } from "./registerNothing.ts"
import * as reply from "./reply.ts"
import { runCall, testFailures, testInterruption } from "./runUpstream.ts"
import { ScriptedUpstream } from "./ScriptedUpstream.ts"
import { vectorOf } from "./vectorOf.ts"

export interface EmbeddingUpstreamContractOptions {
  /** The HTTP client; default: `fetch`. */
  readonly client?: Layer.Layer<HttpClient.HttpClient>
  /** The provider's API; default: `openai`. */
  readonly dialect?: "google" | "openai"
  /** The header of the key; default: `authorization`, with `Bearer`. */
  readonly keyHeader?: string
  /** Whether the cost of a call is the one that the usage reports, in USD. */
  readonly reportsCost?: boolean
  /**
   * Whether a library sends the requests and reads the answers. Then nothing is asserted about base64, token ids and the
   * name and the id of the answer, which the library may not show. Default false.
   */
  readonly usesLibrary?: boolean
}

const inputs = ["Is the sea calm?", "wéll 🎬", "__proto__"]

const call: EmbeddingCall = { model: "contract-model", inputs, encoding: "float", parameters: {} }

/** The vectors by the place of their inputs, as numbers. */
const readVectors = ({ vectors }: EmbeddingReply): ReadonlyArray<ReadonlyArray<number>> =>
  vectors
    .toSorted((one, other) => one.index - other.index)
    .map(({ vector }) => {
      if (typeof vector !== "string") return vector
      const bytes = Uint8Array.from(Buffer.from(vector, "base64"))
      return Array.from(new Float32Array(bytes.buffer))
    })

/**
 * Runs the suite against the upstream that `make` builds for a provider at `url` (the root of a
 * `ScriptedUpstream`).
 *
 * ```ts no-run
 * embeddingUpstreamContract("mine", (url) => mine({ baseUrl: url }))
 * ```
 */
export const embeddingUpstreamContract = (
  name: string,
  make: (url: string) => Upstream,
  {
    client = FetchHttpClient.layer,
    dialect = "openai",
    keyHeader = "authorization",
    reportsCost = false,
    usesLibrary = false
  }: EmbeddingUpstreamContractOptions = {}
): void => {
  const testOfOurs = usesLibrary ? registerNothing : test
  const testOfOpenAi = dialect === "openai" ? testOfOurs : registerNothing
  const testOfCost = reportsCost ? test : registerNothing
  const capabilityAt = (url: string): EmbeddingCapability => {
    const { embeddings } = make(url)
    if (embeddings === undefined) throw new Error(`${name} makes no embeddings`)
    return embeddings
  }
  const embed = (provider: ScriptedUpstream, changes: Partial<EmbeddingCall> = {}) =>
    runCall(capabilityAt(provider.url).embed({ ...call, ...changes }), client)

  describe(`${name} as an upstream of embeddings`, () => {
    test("has a slug and a name", () => {
      const { name: shown, slug } = make("http://127.0.0.1:1")
      expect(slug).not.toBe("")
      expect(shown).not.toBe("")
    })

    test("makes a vector of each input, by one request", async () => {
      await using provider = await ScriptedUpstream.start()
      const made = Result.getOrThrow(await embed(provider))
      expect(readVectors(made)).toEqual(inputs.map((input) => vectorOf(input)))
      expect(made.vectors.map(({ index }) => index).toSorted((one, other) => one - other)).toEqual([
        0, 1, 2
      ])
      expect(provider.requests).toHaveLength(1)
      expect(provider.requests[0]?.model).toBe("contract-model")
    })

    test("makes a vector of one input", async () => {
      await using provider = await ScriptedUpstream.start()
      const made = Result.getOrThrow(await embed(provider, { inputs: ["alone"] }))
      expect(readVectors(made)).toEqual([vectorOf("alone")])
    })

    test("reports the usage of the provider, within its worst case", async () => {
      await using provider = await ScriptedUpstream.start()
      provider.always(reply.embeddings({ usage: { inputTokens: 17, outputTokens: 0 } }))
      const { usage } = Result.getOrThrow(await embed(provider))
      expect(usage).toEqual({ inputTokens: 17, outputTokens: 0 })
      const worst = capabilityAt(provider.url).estimateWorstCase(call)
      expect(worst.inputTokens).toBeGreaterThanOrEqual(17)
      expect(worst.outputTokens).toBe(0)
    })

    test("reports no usage when the provider reports none", async () => {
      await using provider = await ScriptedUpstream.start()
      provider.always(reply.embeddings({ omitsUsage: true }))
      const made = Result.getOrThrow(await embed(provider))
      expect(made.usage).toBeUndefined()
      expect(made.vectors).toHaveLength(3)
    })

    testOfOpenAi(
      "puts vectors at the places of their inputs, in any order of arrival",
      async () => {
        await using provider = await ScriptedUpstream.start()
        provider.always(reply.embeddings({ isReversed: true }))
        const made = Result.getOrThrow(await embed(provider))
        expect(readVectors(made)).toEqual(inputs.map((input) => vectorOf(input)))
      }
    )

    for (const encoding of ["float", "base64"] as const) {
      testOfOpenAi(`reads ${encoding}, even if it asked for another encoding`, async () => {
        await using provider = await ScriptedUpstream.start()
        provider.always(reply.embeddings({ encoding, id: "emb-7", model: "contract-20300101" }))
        for (const asked of ["float", "base64"] as const) {
          const made = Result.getOrThrow(await embed(provider, { encoding: asked }))
          expect(readVectors(made)).toEqual(inputs.map((input) => vectorOf(input)))
          expect(made).toMatchObject({ id: "emb-7", model: "contract-20300101" })
        }
      })
    }

    testOfOpenAi(
      "passes on token ids, contents, what they are for, and further parameters",
      async () => {
        await using provider = await ScriptedUpstream.start()
        const given = { inputType: "search_query", parameters: { truncate: "END" }, dimensions: 6 }
        const ids = Result.getOrThrow(await embed(provider, { ...given, inputs: [[1, 2], [3]] }))
        expect(readVectors(ids)).toEqual([vectorOf([1, 2], 6), vectorOf([3], 6)])
        const content = [{ type: "image_url", image_url: { url: "data:image/png;base64,AA==" } }]
        Result.getOrThrow(await embed(provider, { inputs: [{ content }] }))
        expect(provider.requests.map(({ body }) => body)).toMatchObject([
          { input: [[1, 2], [3]], dimensions: 6, input_type: "search_query", truncate: "END" },
          { input: [{ content }] }
        ])
      }
    )

    testOfOurs("asks for vectors of the requested length", async () => {
      await using provider = await ScriptedUpstream.start()
      const made = Result.getOrThrow(await embed(provider, { dimensions: 8 }))
      expect(readVectors(made)).toEqual(inputs.map((input) => vectorOf(input, 8)))
    })

    testOfOurs("sends a customer's own credential in place of the host's", async () => {
      await using provider = await ScriptedUpstream.start()
      const credential = Redacted.make("sk-of-a-customer")
      Result.getOrThrow(await embed(provider, { credential }))
      Result.getOrThrow(await embed(provider))
      const sent = provider.requests.map(({ headers }) => headers[keyHeader])
      expect(sent[0]).toContain("sk-of-a-customer")
      expect(sent[1]).not.toContain("sk-of-a-customer")
    })

    testOfCost("reports the cost of the provider", async () => {
      await using provider = await ScriptedUpstream.start()
      provider.always(reply.embeddings({ cost: 0.000_002 }))
      expect(Result.getOrThrow(await embed(provider)).cost).toBe(2_000n)
    })

    testFailures(embed)

    testInterruption((url) => capabilityAt(url).embed(call), client)
  })
}
