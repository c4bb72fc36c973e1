/** Runs the calls of an upstream in a test suite. */
import type { UpstreamFailure } from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import type * as Layer from "effect/Layer"
import * as Result from "effect/Result"

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

/** What a failing provider means, by the status of its answer. */
export const failureCases = [
  [429, "rate_limited"],
  [529, "overloaded"],
  [500, "server_error"],
  [401, "credential_refused"],
  [403, "forbidden"],
  [404, "not_served"],
  [400, "bad_request"]
] as const
