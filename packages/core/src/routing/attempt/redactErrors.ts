/** Runs what knows a secret so that nothing it fails or breaks with repeats it. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import { redactCause } from "../../secrets/redactCause.ts"
import { redactSecret } from "../../secrets/redact.ts"
import { UpstreamFailure } from "../../upstreams/failures/UpstreamFailure.ts"

/** An upstream of the host's own may repeat what it was called with, also where it throws instead of failing. */
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
