/** Redacts a credential from the failures and defects of an upstream. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import { redactSecret } from "../../secrets/redact.ts"
import { redactCause } from "../../secrets/redactCause.ts"
import { UpstreamFailure } from "../../upstreams/failures/UpstreamFailure.ts"
import { omitUndefined } from "../../values/omitUndefined.ts"

/** A custom upstream may repeat its credential in a failure or a defect. */
export const redactUpstreamErrors = <A, R>(
  secret: Redacted.Redacted,
  run: () => Effect.Effect<A, UpstreamFailure, R>
): Effect.Effect<A, UpstreamFailure, R> =>
  Effect.catchCause(Effect.suspend(run), (cause) =>
    Effect.failCause(
      redactCause(
        Cause.map(cause, (failure) => redactFailure(failure, secret)),
        secret
      )
    )
  )

const redactFailure = (failure: UpstreamFailure, secret: Redacted.Redacted): UpstreamFailure => {
  const { detail, isCredentialRenewed, kind, phase, retryAfterMillis, status, usage } = failure
  return detail === undefined
    ? failure
    : new UpstreamFailure({
        kind,
        detail: redactSecret(detail, secret),
        ...omitUndefined({ isCredentialRenewed, phase, retryAfterMillis, status, usage })
      })
}
