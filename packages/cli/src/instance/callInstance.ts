/** Calls operations of a running instance by the typed client, with failures that say what to do next. */
import { type Client, createClient, isClientError } from "@signalbox/client"
import type * as CliError from "effect/cli/CliError"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { usageError } from "../usageError.ts"
import { describeStatus, describeUnknownForm, describeUnreachable } from "./describeStatus.ts"
import type { Instance } from "./instanceFlags.ts"

const timeoutMillis = 60_000

/** An interruption aborts the calls that take `signal`. */
export const callInstance = <A>(
  { fetch, key, url }: Instance,
  call: (client: Client, signal: AbortSignal) => Promise<A>
): Effect.Effect<A, CliError.UserError> =>
  Effect.tryPromise({
    try: (signal) =>
      call(
        createClient({
          baseUrl: url,
          apiKey: Redacted.value(key),
          timeout: timeoutMillis,
          ...(fetch === undefined ? undefined : { fetch })
        }),
        signal
      ),
    catch: (error) => usageError(describe(url, error), error)
  })

const describe = (url: string, error: unknown): string => {
  if (!isClientError(error)) return error instanceof Error ? error.message : String(error)
  switch (error.kind) {
    case "response":
      return describeStatus(url, error.status, error.facts.message)
    case "connection":
      return describeUnreachable(url)
    case "timeout":
      return `${url} did not answer within ${timeoutMillis / 1_000} seconds: try again later`
    case "invalid":
      return error.status === 200
        ? describeUnknownForm(url)
        : describeStatus(url, error.status, undefined)
    case "stream":
    case "truncated":
      return error.message
  }
}
