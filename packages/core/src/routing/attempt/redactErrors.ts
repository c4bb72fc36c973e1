/** Redacts a secret from the failures and defects of an effect. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import { redactCause } from "../../secrets/redactCause.ts"
import { redactSecret } from "../../secrets/redact.ts"
import { UpstreamFailure } from "../../upstreams/failures/UpstreamFailure.ts"

/** A custom upstream may repeat its credential in an error or in an exception. */
export const redactErrors = <A, R>(
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
  const { detail, kind, phase, retryAfterMillis, status, usage } = failure
  if (detail === undefined) return failure
  const redacted = redactSecret(detail, secret)
  return redacted === detail
    ? failure
    : new UpstreamFailure({
        kind,
        detail: redacted,
        ...(phase === undefined ? undefined : { phase }),
        ...(retryAfterMillis === undefined ? undefined : { retryAfterMillis }),
        ...(status === undefined ? undefined : { status }),
        ...(usage === undefined ? undefined : { usage })
      })
}
