/** A test suite for upstreams with Decisions. */
import {
  type DecisionCall,
  countOptions,
  type Questions,
  type Upstream
} from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Fiber from "effect/Fiber"
import * as Result from "effect/Result"
import { describe, expect, test } from "vitest"
import * as fault from "./fault.ts"
import * as pace from "./pace.ts"
import { ScriptedUpstream } from "./ScriptedUpstream.ts"

export interface UpstreamContractOptions {
  /** Supported parameters of the endpoint, such as `structured_outputs`. Default: unknown. */
  readonly supportedParameters?: ReadonlyArray<string>
  /** See `chatUpstreamContract`. */
  readonly model?: string
}

const asked: Questions = {
  yes: { type: "noul", instructions: "Is it so?" },
  // Computed, because a plain `__proto__` in a literal would set the prototype.
  ["__proto__"]: { type: "choice", instructions: "Which?", criteria: { one: null, two: "b" } },
  level: { type: "score", instructions: "How much?", criteria: ["low", "middle", "high"] }
}

/**
 * Runs the suite against the upstream that `make` builds for a provider at `url` (the root of a
 * `ScriptedUpstream`).
 *
 * ```ts no-run
 * upstreamContract("mine", (url) => mine({ baseUrl: url }))
 * ```
 */
export const upstreamContract = (
  name: string,
  make: (url: string) => Upstream,
  { model = "contract/model", supportedParameters }: UpstreamContractOptions = {}
): void => {
  const callOf = (about: Questions): DecisionCall => ({
    model,
    supportedParameters:
      supportedParameters === undefined ? undefined : new Set(supportedParameters),
    state: "Something to judge.",
    questions: about,
    contentBytes: JSON.stringify({ state: "Something to judge.", questions: about }).length,
    onUsage: () => {}
  })
  const decide = (url: string, about: Questions) => {
    const decisions = make(url).decisions
    if (decisions === undefined) throw new Error(`${name} has no decisions`)
    return decisions
      .decide(callOf(about))
      .pipe(Effect.result, Effect.provide(FetchHttpClient.layer))
  }
  const single: Questions = { yes: { type: "noul", instructions: "Is it so?" } }

  describe(`${name} as an upstream`, () => {
    test("has a slug and a name", () => {
      const { slug, name: shown } = make("http://127.0.0.1:1")
      expect(slug).not.toBe("")
      expect(shown).not.toBe("")
    })

    test("weighs every option of every question of any name", async () => {
      await using provider = await ScriptedUpstream.start()
      const reply = Result.getOrThrow(await Effect.runPromise(decide(provider.url, asked)))
      expect([...reply.verdicts.keys()].toSorted()).toEqual(Object.keys(asked).toSorted())
      for (const [key, question] of Object.entries(asked)) {
        const weights = reply.verdicts.get(key)?.weights ?? []
        expect(weights).toHaveLength(countOptions(question))
        expect(weights.every((weight) => Number.isFinite(weight) && weight >= 0)).toBe(true)
      }
    })

    test("uses no more than its worst case", async () => {
      await using provider = await ScriptedUpstream.start()
      const { usage } = Result.getOrThrow(await Effect.runPromise(decide(provider.url, asked)))
      const worst = make(provider.url).decisions?.estimateWorstCase(callOf(asked))
      expect(usage.inputTokens).toBeLessThanOrEqual(worst?.inputTokens ?? 0)
      expect(usage.outputTokens).toBeLessThanOrEqual(worst?.outputTokens ?? 0)
    })

    test.each([
      [429, "rate_limited"],
      [529, "overloaded"],
      [500, "server_error"],
      [401, "credential_refused"],
      [403, "forbidden"],
      [404, "not_served"],
      [400, "bad_request"]
    ])("fails once, and never tries again, after a %i: %s", async (status, kind) => {
      await using provider = await ScriptedUpstream.start()
      provider.always(fault.status(status))
      const result = await Effect.runPromise(decide(provider.url, single))
      expect(Result.isFailure(result) && result.failure).toMatchObject({ kind, status })
      expect(provider.requests).toHaveLength(1)
    })

    test("maps an invalid answer to a failure", async () => {
      await using provider = await ScriptedUpstream.start()
      provider.always(fault.empty())
      const result = await Effect.runPromise(decide(provider.url, single))
      expect(Result.isFailure(result) && result.failure.kind).toBe("invalid_answer")
    })

    test("closes the connection if it is interrupted", async () => {
      await using provider = await ScriptedUpstream.start()
      const gate = provider.gate()
      provider.always(pace.hold(gate))
      const fiber = Effect.runFork(decide(provider.url, single))
      await provider.waitForRequests(1)
      await Effect.runPromise(Fiber.interrupt(fiber))
      await provider.waitForAborts(1)
      expect(provider.requests[0]?.aborted).toBe(true)
    })
  })
}
