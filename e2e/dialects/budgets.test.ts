/** What each dialect reports is charged exactly, tokens that a cache read or wrote included. */
import { defaultAccountId } from "@signalbox/core"
import { LedgerStore } from "@signalbox/core/stores"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { describe, expect, onTestFinished, test } from "vitest"
import { scaleRuns } from "../../vitest.scope.ts"
import { everyFilter } from "../filters/everyFilter.ts"
import { DialectServer } from "./DialectServer.ts"
import { inboundApis } from "./InboundApi.ts"
import type { NativeUsage } from "./NativeAnswer.ts"
import { type ProviderDialect, providerDialects } from "./ProviderDialect.ts"
import { sendNative } from "./sendNative.ts"
import { speak } from "./speak.ts"

const price = {
  prompt: "0.000001003",
  completion: "0.000005007",
  input_cache_read: "0.000000101",
  input_cache_write: "0.00000125",
  internal_reasoning: "0.000005007",
  request: "0.000011"
}

/** Nano-USD by the prices above. */
const toCost = ({ cacheWritten, cached, completion, prompt }: NativeUsage): bigint =>
  BigInt(prompt - cached - cacheWritten) * 1_003n +
  BigInt(cached) * 101n +
  BigInt(cacheWritten) * 1_250n +
  BigInt(completion) * 5_007n +
  11_000n

/** No more than the question can have caused: implausible reports are capped. */
const arbitraryUsage = (dialect: ProviderDialect): fc.Arbitrary<NativeUsage> =>
  fc
    .record({
      plain: fc.nat(12),
      cached: fc.nat(10),
      // Google's API has no such count.
      cacheWritten: dialect === "gemini" ? fc.constant(0) : fc.nat(10),
      spoken: fc.integer({ min: 1, max: 20 }),
      reasoning: fc.nat(20)
    })
    .map(({ cacheWritten, cached, plain, reasoning, spoken }) => ({
      prompt: plain + cached + cacheWritten,
      cached,
      cacheWritten,
      completion: spoken + reasoning,
      reasoning
    }))

/** Every second pair has content filters, which change neither what is counted nor what is charged. */
const pairs = inboundApis.flatMap((api, row) =>
  providerDialects.map((dialect, column) => ({
    api,
    dialect,
    name: api.name,
    isFiltered: (row + column) % 2 === 0
  }))
)

describe.each(pairs)(
  "a provider of the dialect $dialect, asked by $name (content filters: $isFiltered)",
  (pair) => {
    const { api, dialect, isFiltered } = pair
    test("is paid what it counts, to the nano-dollar, and nothing stays reserved", async () => {
      let usage: NativeUsage
      const server = await DialectServer.start({
        answer: (request, response) =>
          sendNative(speak({ said: [{ text: ["Yes."] }], usage })[dialect], request, response),
        price,
        instance: { credits: { default: "1000" } }
      })
      onTestFinished(() => server[Symbol.asyncDispose]())
      if (isFiltered) await server.instance.guardrails.update(everyFilter)
      const ledger = Context.get(server.instance.context, LedgerStore)
      const cap = await Effect.runPromise(ledger.findGrantedCredits(defaultAccountId))
      if (cap === undefined) throw new Error("no credits were granted")
      const getSpending = () =>
        Effect.runPromise(
          ledger.getUsage({
            kind: "credits",
            id: defaultAccountId,
            interval: "lifetime",
            window: "lifetime",
            endsAt: Infinity,
            cap,
            countsByok: false
          })
        )
      let spent = 0n
      await fc.assert(
        fc.asyncProperty(arbitraryUsage(dialect), fc.boolean(), async (reported, isStreamed) => {
          usage = reported
          const request = {
            model: `proof/${dialect}`,
            [api.capName]: 100,
            ...api.toBody([{ role: "user", content: "Is it calm at sea? ".repeat(10) }])
          }
          const { error, id, usage: told } = await api.ask(server, request, isStreamed)
          expect(error).toBeUndefined()
          expect(told).toMatchObject({
            prompt_tokens: reported.prompt,
            completion_tokens: reported.completion,
            prompt_tokens_details: { cached_tokens: reported.cached }
          })
          await expect.poll(() => server.findRecord(id ?? "")).toBeDefined()
          const record = await server.findRecord(id ?? "")
          expect(BigInt(record?.cost ?? -1)).toBe(toCost(reported))
          spent += toCost(reported)
          await expect.poll(getSpending).toEqual({ settled: spent, reserved: 0n })
        }),
        { numRuns: scaleRuns(30) }
      )
    })
  }
)
