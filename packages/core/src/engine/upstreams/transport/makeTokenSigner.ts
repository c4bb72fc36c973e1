/** Signs requests with access tokens that expire, such as those of Google Cloud or Microsoft Entra. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { redactDefects } from "../../secrets/redact.ts"
import { UpstreamFailure } from "../failures/UpstreamFailure.ts"
import { type ExpiringCredential, SharedCredential } from "./SharedCredential.ts"
import type { Refusal, Signature, Signer } from "./Signer.ts"

/** An access token, and until when it is accepted. */
export interface AccessToken {
  readonly token: string | Redacted.Redacted
  /** Milliseconds since the epoch, or a date; absent: as the token says if it is a JWT, else five minutes from now. */
  readonly expiresAt?: Date | number | undefined
}

/** Gets an access token, such as `getBearerTokenProvider` of `@azure/identity` or `getAccessToken` of Google's library. */
export type TokenProvider = () => AccessToken | string | PromiseLike<AccessToken | string>

/**
 * Sends `Authorization: Bearer` with the token of `getToken`, which is called once for all requests, again before the token
 * expires, and once when it is refused with 401. A failure of `getToken` is a `credential_refused`, also of the requests of
 * the second that follows its start.
 */
export const makeTokenSigner = (getToken: TokenProvider): Signer => {
  const shared = new SharedCredential<Signature>(async () => toCredential(await getToken()))
  let lastLogged: unknown
  /** Requests that share a failed call log it once. */
  const logFailure = (cause: Cause.Cause<never>): Effect.Effect<void> => {
    const error = Cause.squash(cause)
    if (error === lastLogged) return Effect.void
    lastLogged = error
    return Effect.logError("no access token could be obtained", redactDefects(cause))
  }
  const sign: Signer = ({ nowMillis }) => {
    const signature = shared.get(nowMillis)
    if (!(signature instanceof Promise)) return signature
    return Effect.promise(() => signature).pipe(
      Effect.catchCause((cause) =>
        Cause.hasInterruptsOnly(cause)
          ? Effect.failCause(
              Cause.fromReasons<never>(cause.reasons.filter(Cause.isInterruptReason))
            )
          : Effect.andThen(logFailure(cause), Effect.fail(noToken))
      )
    )
  }
  return Object.assign(sign, {
    renew: ({ nowMillis, signature, status }: Refusal) =>
      status === 401 && shared.forget(signature, nowMillis)
  })
}

const noToken = new UpstreamFailure({
  kind: "credential_refused",
  phase: "connect",
  detail: "no access token could be obtained; the log has the cause"
})

const toCredential = (given: AccessToken | string): ExpiringCredential<Signature> => {
  const { expiresAt, token } =
    typeof given === "string" ? { expiresAt: undefined, token: given } : given
  const text = Redacted.isRedacted(token) ? Redacted.value(token) : token
  if (typeof text !== "string" || text === "") throw new TypeError("the token is empty or no text")
  return {
    value: { headers: { authorization: `Bearer ${text}` } },
    expiresAt: expiresAt === undefined ? findExpiry(text) : Number(expiresAt)
  }
}

/** The `exp` of a JWT (RFC 7519), unchecked. */
const findExpiry = (token: string): number | undefined => {
  try {
    const payload = token.split(".")[1] ?? ""
    const { exp }: { readonly exp?: unknown } = JSON.parse(
      atob(payload.replaceAll("-", "+").replaceAll("_", "/"))
    )
    return typeof exp === "number" ? exp * 1_000 : undefined
  } catch {
    return undefined
  }
}
