/** Runs an attempt with a customer's own credential, which is decrypted only then and redacted from errors. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Redacted from "effect/Redacted"
import { redactCause, redactSecret } from "../../engine/secrets/redact.ts"
import { UpstreamFailure, withFields } from "../../engine/upstreams/failures/UpstreamFailure.ts"
import { evaluate } from "../../values/eager.ts"
import * as Step from "../../values/Step.ts"

/** A custom upstream may repeat its credential in a failure or a defect. Calls `run` at once. */
export const redactUpstreamErrors = <A, R>(
  secret: Redacted.Redacted,
  run: () => Effect.Effect<A, UpstreamFailure, R>
): Effect.Effect<A, UpstreamFailure, R> => {
  const running = evaluate(run)
  const redact = (cause: Cause.Cause<UpstreamFailure>) =>
    Exit.failCause(
      redactCause(
        Cause.map(cause, (failure) => redactFailure(failure, secret)),
        secret
      )
    )
  return Step.matchCause(running, { onSuccess: Effect.succeed, onFailure: redact })
}

const redactFailure = (failure: UpstreamFailure, secret: Redacted.Redacted): UpstreamFailure =>
  failure.detail === undefined
    ? failure
    : withFields(failure, { detail: redactSecret(failure.detail, secret) })

export const runWithCredential = <A, R>(
  { secret }: { readonly secret: Effect.Effect<Redacted.Redacted, unknown> },
  run: (credential: Redacted.Redacted) => Effect.Effect<A, UpstreamFailure, R>
): Effect.Effect<A, UpstreamFailure, R> =>
  Step.flatMap(Step.mapError(secret, toCredentialRefused), (credential) =>
    redactUpstreamErrors(credential, () => run(credential))
  )

/** Counts as refused by the upstream, so that the next credential is tried. */
const toCredentialRefused = (): UpstreamFailure =>
  new UpstreamFailure({ kind: "credential_refused", detail: "the credential could not be opened" })
