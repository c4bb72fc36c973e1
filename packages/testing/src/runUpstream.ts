/** Runs the calls of an upstream in a test suite. */
import type { UpstreamFailure } from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as Fiber from "effect/Fiber"
import type * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { expect, test } from "vitest"
import * as fault from "./fault.ts"
import type { Gate } from "./Gate.ts"
import * as pace from "./pace.ts"
import * as reply from "./reply.ts"
import { ScriptedUpstream } from "./ScriptedUpstream.ts"
import type { Step } from "./Step.ts"

/** An effect of an upstream. */
export type Call<A> = Effect.Effect<A, UpstreamFailure, HttpClient.HttpClient>

/** Runs a call to its end with this HTTP client. */
export const runCall = <A>(
  call: Call<A>,
  client: Layer.Layer<HttpClient.HttpClient>
): Promise<Result.Result<A, UpstreamFailure>> =>
  Effect.runPromise(Effect.provide(Effect.result(call), client))

/** The failure of a result; throws when it succeeded. */
export const getFailure = (result: Result.Result<unknown, UpstreamFailure>): UpstreamFailure => {
  if (Result.isSuccess(result)) throw new Error("it succeeded")
  return result.failure
}

/**
 * Registers what every upstream does with a provider that fails, by one request: `attempt` makes a call. Those that read JSON
 * also fail after bodies of `flaws`; default: those that no operation takes.
 */
export const testFailures = (
  attempt: (provider: ScriptedUpstream) => Promise<Result.Result<unknown, UpstreamFailure>>,
  flaws: ReadonlyArray<readonly [name: string, step: Step]> = flawedBodies
): void => {
  test.each(failureCases)(
    "fails once, and never tries again, after a %i: %s",
    async (status, kind) => {
      await using provider = await ScriptedUpstream.start()
      provider.always(fault.status(status))
      expect(getFailure(await attempt(provider))).toMatchObject({ kind, status })
      expect(provider.requests).toHaveLength(1)
    }
  )

  test.each(flaws)("fails after %s: invalid_answer", async (_, step) => {
    await using provider = await ScriptedUpstream.start()
    provider.always(step)
    expect(getFailure(await attempt(provider)).kind).toBe("invalid_answer")
  })
}

/** What a failing provider means, by the status of its answer. */
const failureCases = [
  [429, "rate_limited"],
  [529, "overloaded"],
  [500, "server_error"],
  [401, "credential_refused"],
  [403, "forbidden"],
  [404, "not_served"],
  [400, "bad_request"]
] as const

/** Bodies that are the answer of no operation. */
export const flawedBodies: ReadonlyArray<readonly [name: string, step: Step]> = [
  ["no body", fault.empty()],
  ["another body", fault.notJson()],
  ["JSON of another kind", reply.json({ object: "list" })]
]

/** Registers that a call ends its request when it is interrupted; `answer` begins an answer, and does not end it. */
export const testInterruption = (
  makeCall: (url: string) => Effect.Effect<unknown, unknown, HttpClient.HttpClient>,
  client: Layer.Layer<HttpClient.HttpClient>,
  answer: (gate: Gate) => Step = pace.hold
): void => {
  test("closes the connection if it is interrupted", async () => {
    await using provider = await ScriptedUpstream.start()
    provider.always(answer(provider.gate()))
    const fiber = Effect.runFork(Effect.provide(Effect.result(makeCall(provider.url)), client))
    await provider.waitForRequests(1)
    await Effect.runPromise(Fiber.interrupt(fiber))
    await provider.waitForAborts(1)
    expect(provider.requests[0]?.aborted).toBe(true)
  })
}
