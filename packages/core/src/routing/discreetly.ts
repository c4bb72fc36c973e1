/** Runs what knows a secret so that nothing it fails or breaks with repeats it. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import { struckOut } from "../secrets/struckOut.ts"
import { withoutSecret } from "../secrets/withoutSecrets.ts"
import { UpstreamFailure } from "../upstreams/UpstreamFailure.ts"

/** An upstream of the host's own may repeat what it was called with, also where it throws instead of failing. */
export const discreetly = <A, R>(
  secret: Redacted.Redacted,
  run: () => Effect.Effect<A, UpstreamFailure, R>
): Effect.Effect<A, UpstreamFailure, R> =>
  Effect.catchCause(Effect.suspend(run), (cause) =>
    Effect.failCause(
      struckOut(
        Cause.map(cause, (failure) => discreet(failure, secret)),
        secret
      )
    )
  )

const discreet = (failure: UpstreamFailure, secret: Redacted.Redacted): UpstreamFailure => {
  const { detail, kind, phase, retryAfterMillis, status, usage } = failure
  if (detail === undefined) return failure
  const said = withoutSecret(detail, secret)
  return said === detail
    ? failure
    : new UpstreamFailure({
        kind,
        detail: said,
        ...(phase === undefined ? undefined : { phase }),
        ...(retryAfterMillis === undefined ? undefined : { retryAfterMillis }),
        ...(status === undefined ? undefined : { status }),
        ...(usage === undefined ? undefined : { usage })
      })
}
