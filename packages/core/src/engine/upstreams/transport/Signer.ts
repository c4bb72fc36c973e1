/** Signs requests to upstreams whose authentication is more than a constant header. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import { redactDefects } from "../../secrets/redact.ts"
import { UpstreamFailure } from "../failures/UpstreamFailure.ts"

/** A request as it will be sent. */
export interface UnsignedRequest {
  readonly method: string
  readonly url: string
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The final bytes of the body; empty without a body. */
  readonly body: Uint8Array
  /** The time, in milliseconds since the epoch. */
  readonly nowMillis: number
}

/** A response of status 401 or 403. */
export interface Refusal {
  /** The signature of the refused request. */
  readonly signature: Signature
  readonly status: number
  readonly nowMillis: number
  /** Redacted; may be empty or no JSON. */
  readonly body: string
}

/** Headers that a signer adds; they replace headers of the same name. */
export interface Signature {
  /** Secret: values of 16 characters and more are redacted from answers. */
  readonly headers: Readonly<Record<string, string>>
  /** Headers that are not secret, such as a date. */
  readonly nonSecretHeaders?: Readonly<Record<string, string>>
}

/**
 * Runs once for each attempt, just before the request is sent. An effect may fail with an `UpstreamFailure`; anything
 * else that fails, rejects or is thrown is a `defect`, and nothing is sent. A signer whose signature holds for several
 * requests, such as a token, should return the same object for them, because preparing the redaction costs.
 */
export interface Signer {
  (
    request: UnsignedRequest
  ): Signature | PromiseLike<Signature> | Effect.Effect<Signature, UpstreamFailure>
  /**
   * Called when the provider refuses the signature. True: the next signature differs, so the router may try the
   * endpoint once more. Absent: the signature never changes.
   */
  readonly renew?: (refusal: Refusal) => boolean
}

/** The signature, at once if the signer returns a value. */
export const runSigner = (
  signer: Signer,
  request: UnsignedRequest,
  { apiKey, timeoutMillis }: RunSignerOptions
): Effect.Effect<Signature, UpstreamFailure> => {
  const fail = (cause: Cause.Cause<unknown>) => toSignerFailure(cause, apiKey)
  try {
    const signed = signer(request)
    if (!Effect.isEffect(signed) && !isPromiseLike(signed)) return Effect.succeed(signed)
    const effect = Effect.isEffect(signed) ? signed : Effect.promise(async () => signed)
    return Effect.catchCause(effect, fail).pipe(
      Effect.timeoutOrElse({
        duration: timeoutMillis,
        orElse: () => Effect.fail(new UpstreamFailure({ kind: "timeout", phase: "connect" }))
      })
    )
  } catch (defect) {
    return fail(Cause.die(defect))
  }
}

interface RunSignerOptions {
  readonly apiKey: Redacted.Redacted | undefined
  readonly timeoutMillis: number
}

const isPromiseLike = (
  value: Signature | PromiseLike<Signature>
): value is PromiseLike<Signature> => "then" in value

const toSignerFailure = (
  cause: Cause.Cause<unknown>,
  apiKey: Redacted.Redacted | undefined
): Effect.Effect<never, UpstreamFailure> => {
  const failure = cause.reasons.map(getThrown).find((thrown) => thrown instanceof UpstreamFailure)
  if (failure !== undefined) return Effect.fail(failure)
  return Effect.andThen(
    Effect.logError("a request to an upstream could not be signed", redactDefects(cause, apiKey)),
    Effect.fail(
      new UpstreamFailure({
        kind: "defect",
        phase: "connect",
        detail: "the request could not be signed"
      })
    )
  )
}

const getThrown = (reason: Cause.Reason<unknown>): unknown => {
  if (Cause.isFailReason(reason)) return reason.error
  return Cause.isDieReason(reason) ? reason.defect : undefined
}
