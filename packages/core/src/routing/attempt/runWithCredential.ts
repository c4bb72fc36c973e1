/** Runs an attempt with a customer's own credential, which is decrypted only then and redacted from errors. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import { redactCause } from "../../secrets/redactCause.ts"
import { redactSecret } from "../../secrets/redact.ts"
import { omitUndefined } from "../../values/omitUndefined.ts"
import { UpstreamFailure } from "../../upstreams/failures/UpstreamFailure.ts"

export const runWithCredential = <A, R>(
  { secret }: { readonly secret: Effect.Effect<Redacted.Redacted, unknown> },
  run: (credential: Redacted.Redacted) => Effect.Effect<A, UpstreamFailure, R>
): Effect.Effect<A, UpstreamFailure, R> =>
  Effect.flatMap(Effect.mapError(secret, toCredentialRefused), (credential) =>
    redactErrors(credential, () => run(credential))
  )

/** Counts as refused by the upstream, so that the next credential is tried. */
const toCredentialRefused = (): UpstreamFailure =>
  new UpstreamFailure({ kind: "credential_refused", detail: "the credential could not be opened" })

/** A custom upstream may repeat its credential in a failure or a defect. */
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
  return detail === undefined
    ? failure
    : new UpstreamFailure({
        kind,
        detail: redactSecret(detail, secret),
        ...omitUndefined({ phase, retryAfterMillis, status, usage })
      })
}
