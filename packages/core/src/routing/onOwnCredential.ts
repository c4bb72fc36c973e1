/** Makes an attempt on a customer's own credential, which is opened for it and not before. */
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import type { Usable } from "../byok/Usable.ts"
import { UpstreamFailure } from "../upstreams/UpstreamFailure.ts"
import { discreetly } from "./discreetly.ts"

export const onOwnCredential = <A, R>(
  { secret }: Usable,
  run: (credential: Redacted.Redacted) => Effect.Effect<A, UpstreamFailure, R>
): Effect.Effect<A, UpstreamFailure, R> =>
  Effect.flatMap(Effect.mapError(secret, unopened), (credential) =>
    discreetly(credential, () => run(credential))
  )

/** Refused like one that the upstream refuses: the next credential may do. */
const unopened = (): UpstreamFailure =>
  new UpstreamFailure({ kind: "credential_refused", detail: "the credential could not be opened" })
