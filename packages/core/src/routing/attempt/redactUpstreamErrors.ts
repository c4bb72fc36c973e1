/** Redacts a credential from the failures and defects of an upstream. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Redacted from "effect/Redacted"
import { redactSecret } from "../../engine/secrets/redact.ts"
import { redactCause } from "../../engine/secrets/redactCause.ts"
import type { UpstreamFailure } from "../../engine/upstreams/failures/UpstreamFailure.ts"
import { withFields } from "../../engine/upstreams/failures/withFields.ts"
import { evaluate } from "../../values/evaluate.ts"
import { isExit } from "../../values/isExit.ts"

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
  if (!isExit(running)) return Effect.catchCause(running, redact)
  return Exit.isSuccess(running) ? running : redact(running.cause)
}

const redactFailure = (failure: UpstreamFailure, secret: Redacted.Redacted): UpstreamFailure =>
  failure.detail === undefined
    ? failure
    : withFields(failure, { detail: redactSecret(failure.detail, secret) })
