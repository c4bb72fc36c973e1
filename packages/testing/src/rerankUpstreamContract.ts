/** A test suite for upstreams that rerank. */
import type { RerankCall, RerankCapability, RerankReply, Upstream } from "@signalbox/core/upstream"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import type * as HttpClient from "effect/http/HttpClient"
import type * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { describe, expect, test } from "vitest"
import * as fault from "./fault.ts"
import { registerNothing } from "./registerNothing.ts"
import * as reply from "./reply.ts"
import { flawedBodies, runCall, testFailures, testInterruption } from "./runUpstream.ts"
import { ScriptedUpstream } from "./ScriptedUpstream.ts"

export interface RerankUpstreamContractOptions {
  /** The HTTP client; default: `fetch`. */
  readonly client?: Layer.Layer<HttpClient.HttpClient>
  /** Whether the provider bills search units, tokens or both; default: tokens. */
  readonly bills?: "both" | "tokens" | "units"
  /** Whether the cost of a call is the one that the usage reports, in USD. */
  readonly reportsCost?: boolean
}

const call: RerankCall = {
  model: "contract-model",
  query: "Is the sea calm?",
  documents: [{ text: "The wind is strong." }, { text: "wéll 🎬" }, { text: "It is calm." }],
  topN: 3,
  parameters: {}
}

const toScores = ({ results }: RerankReply): ReadonlyArray<number | undefined> =>
  call.documents.map((_, place) => results.find(({ index }) => index === place)?.score)

/**
 * Runs the suite against the upstream that `make` builds for a provider at `url` (the root of a
 * `ScriptedUpstream`).
 *
 * ```ts no-run
 * rerankUpstreamContract("mine", (url) => mine({ baseUrl: url }))
 * ```
 */
export const rerankUpstreamContract = (
  name: string,
  make: (url: string) => Upstream,
  {
    bills = "tokens",
    client = FetchHttpClient.layer,
    reportsCost = false
  }: RerankUpstreamContractOptions = {}
): void => {
  const testOfCost = reportsCost ? test : registerNothing
  const capabilityAt = (url: string): RerankCapability => {
    const { rerank } = make(url)
    if (rerank === undefined) throw new Error(`${name} does not rerank`)
    return rerank
  }
  const rank = (provider: ScriptedUpstream, changes: Partial<RerankCall> = {}) =>
    runCall(capabilityAt(provider.url).rerank({ ...call, ...changes }), client)

  describe(`${name} as an upstream of reranks`, () => {
    test("has a slug and a name", () => {
      const { name: shown, slug } = make("http://127.0.0.1:1")
      expect(slug).not.toBe("")
      expect(shown).not.toBe("")
    })

    test("scores each document, by one request", async () => {
      await using provider = await ScriptedUpstream.start()
      provider.always(reply.ranking([0.25, 0.5, 0.75]))
      expect(toScores(Result.getOrThrow(await rank(provider)))).toEqual([0.25, 0.5, 0.75])
      expect(provider.requests).toHaveLength(1)
      expect(provider.requests[0]).toMatchObject({
        model: "contract-model",
        body: { query: call.query }
      })
    })

    test("asks for the best, and passes on further parameters", async () => {
      await using provider = await ScriptedUpstream.start()
      provider.always(reply.ranking([0.25, 0.5, 0.75]))
      const best = Result.getOrThrow(
        await rank(provider, { topN: 1, parameters: { max_tokens_per_doc: 64 } })
      )
      expect(best.results).toEqual([{ index: 2, score: 0.75 }])
      expect(provider.requests[0]?.body).toMatchObject({ max_tokens_per_doc: 64 })
    })

    test("reports what the provider bills, within its worst case", async () => {
      await using provider = await ScriptedUpstream.start()
      provider.always(reply.ranking(undefined, { usage: { inputTokens: 21, outputTokens: 0 } }))
      const { searchUnits, usage } = Result.getOrThrow(await rank(provider))
      expect(searchUnits).toBe(bills === "tokens" ? undefined : 1)
      expect(usage).toEqual({
        inputTokens: bills === "units" ? 0 : 21,
        outputTokens: 0,
        ...(bills === "tokens" ? undefined : { requests: 1 })
      })
      const worst = capabilityAt(provider.url).estimateWorstCase(call)
      expect(worst.inputTokens).toBeGreaterThanOrEqual(21)
      expect(worst.outputTokens).toBe(0)
      expect(worst.requests).toBeGreaterThanOrEqual(1)
    })

    test("reports no usage when the provider reports none", async () => {
      await using provider = await ScriptedUpstream.start()
      provider.always(reply.ranking(undefined, { omitsUsage: true }))
      const ranked = Result.getOrThrow(await rank(provider))
      expect(ranked.usage).toBeUndefined()
      expect(ranked.results).toHaveLength(3)
    })

    test("sends a customer's own credential in place of the host's", async () => {
      await using provider = await ScriptedUpstream.start()
      const credential = Redacted.make("sk-of-a-customer")
      Result.getOrThrow(await rank(provider, { credential }))
      Result.getOrThrow(await rank(provider))
      const sent = provider.requests.map(({ headers }) => headers["authorization"])
      expect(sent[0]).toBe("Bearer sk-of-a-customer")
      expect(sent[1]).not.toContain("sk-of-a-customer")
    })

    testOfCost("reports the cost of the provider", async () => {
      await using provider = await ScriptedUpstream.start()
      provider.always(reply.ranking(undefined, { cost: 0.000_002 }))
      expect(Result.getOrThrow(await rank(provider)).cost).toBe(2_000n)
    })

    testFailures(rank, [
      ...flawedBodies,
      ["a score that is none", fault.flawedRanking("not_a_number")]
    ])

    testInterruption((url) => capabilityAt(url).rerank(call), client)
  })
}
