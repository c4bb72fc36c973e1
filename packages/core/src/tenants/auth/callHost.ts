/** Calls a function of the host with a request whose secrets must not reach the log. */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Headers from "effect/http/Headers"
import { redactCause } from "../../engine/secrets/redact.ts"
import { type AuthenticationRequest, listSecrets } from "./AuthenticationRequest.ts"

/** Errors of the host are defects, without the secrets of the request. */
export const callHost = <Request extends AuthenticationRequest, Result>(
  request: Request,
  call: (request: Request) => Result | Promise<Result> | Effect.Effect<Result, unknown>
): Effect.Effect<Result> =>
  Effect.suspend(() => {
    // A copy that neither changes the request nor prints its secrets.
    const headers = Headers.fromInput(request.headers)
    const answer = call({ ...request, headers })
    return Effect.isEffect(answer) ? Effect.orDie(answer) : Effect.promise(async () => answer)
  }).pipe(
    Effect.catchCause((cause) =>
      Effect.failCause(
        redactCause(cause, ...listSecrets(request).map((secret) => Redacted.make(secret)))
      )
    )
  )
