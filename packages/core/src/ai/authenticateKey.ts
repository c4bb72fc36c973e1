/** Finds the caller of an API key, as the HTTP API does. */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type * as AiError from "effect/ai/AiError"
import { Admission } from "../api/server/Admission.ts"
import type { Caller } from "../tenants/auth/Caller.ts"
import { toAiError } from "./toAiError.ts"

/**
 * The caller of `key`, for `CurrentCaller`. Counts as one request in its rate limit. Fails with an `AuthenticationError`
 * when no enabled key is that, and with a `RateLimitError`. A host that authenticates by itself is asked first.
 */
export const authenticateKey = (
  key: Redacted.Redacted
): Effect.Effect<Caller, AiError.AiError, Admission> =>
  Admission.use(({ admit }) =>
    Effect.suspend(() =>
      admit({
        method: "POST",
        url: "/api/v1/chat/completions",
        headers: { authorization: `Bearer ${Redacted.value(key)}` }
      })
    )
  ).pipe(
    Effect.mapError((error) => toAiError(error, { module: "Signalbox", method: "authenticateKey" }))
  )
