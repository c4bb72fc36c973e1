/** Runs an attempt with a customer's own credential, which is decrypted only then and redacted from errors. */
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import { UpstreamFailure } from "../../engine/upstreams/failures/UpstreamFailure.ts"
import { redactUpstreamErrors } from "./redactUpstreamErrors.ts"

export const runWithCredential = <A, R>(
  { secret }: { readonly secret: Effect.Effect<Redacted.Redacted, unknown> },
  run: (credential: Redacted.Redacted) => Effect.Effect<A, UpstreamFailure, R>
): Effect.Effect<A, UpstreamFailure, R> =>
  Effect.flatMapEager(Effect.mapErrorEager(secret, toCredentialRefused), (credential) =>
    redactUpstreamErrors(credential, () => run(credential))
  )

/** Counts as refused by the upstream, so that the next credential is tried. */
const toCredentialRefused = (): UpstreamFailure =>
  new UpstreamFailure({ kind: "credential_refused", detail: "the credential could not be opened" })
