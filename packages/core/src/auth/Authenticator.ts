/** Turns a request into a caller. A port: a host with its own users replaces it. */
import * as Clock from "effect/Clock"
import * as Digest from "effect/crypto/Digest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { hashKey } from "../secrets/hashKey.ts"
import { redactCause } from "../secrets/redactCause.ts"
import { type AuthenticationRequest, listSecrets } from "./AuthenticationRequest.ts"
import { type WorkspaceNotFound, Unauthenticated } from "./AuthErrors.ts"
import type { Caller } from "./Caller.ts"
import type { CallerConfig } from "./CallerConfig.ts"
import { Callers } from "./Callers.ts"
import { ApiKeyCache } from "./ApiKeyCache.ts"
import { verifySecret } from "./verifySecret.ts"

type AuthenticateResult = CallerConfig | null | undefined

/**
 * The host's own function: whom a request is from, now, as a promise or as an effect. When it returns nothing, the
 * bearer token is looked up among the keys. What it throws or fails with is a bug: logged without the secrets of the
 * request, answered with 500.
 */
export type Authenticate = (
  request: AuthenticationRequest
) => AuthenticateResult | Promise<AuthenticateResult> | Effect.Effect<AuthenticateResult, unknown>

/** The service of a host that makes its function with a layer. */
export const Authenticate: Context.Service<Authenticate, Authenticate> = Context.Service(
  "@signalbox/core/auth/Authenticator/Authenticate"
)

type CallerEffect = Effect.Effect<Caller, WorkspaceNotFound | Unauthenticated>

/** Turns a request into its caller. */
export class Authenticator extends Context.Service<
  Authenticator,
  { readonly authenticate: (request: AuthenticationRequest) => CallerEffect }
>()("@signalbox/core/auth/Authenticator") {
  /**
   * Looks the token up among the stored API keys, by its SHA-256. A key that is disabled or expired is
   * turned away in the words for one that nobody issued.
   */
  static readonly layer: Layer.Layer<Authenticator, never, ApiKeyCache | Digest.Digest> =
    Layer.effect(
      Authenticator,
      Effect.suspend(() => Effect.map(makeKeyAuthenticator, (authenticate) => ({ authenticate })))
    )

  /** Asks the host first. */
  static readonly layerHost = (
    authenticate: Authenticate
  ): Layer.Layer<Authenticator, never, Callers | ApiKeyCache | Digest.Digest> =>
    Layer.effect(
      Authenticator,
      Effect.gen(function* () {
        const authenticateByKey = yield* makeKeyAuthenticator
        const callers = yield* Callers
        return {
          authenticate: Effect.fnUntraced(function* (request): Effect.fn.Return<
            Caller,
            WorkspaceNotFound | Unauthenticated
          > {
            const config = yield* Effect.suspend(() => {
              const answer = authenticate(request)
              return Effect.isEffect(answer)
                ? Effect.orDie(answer)
                : Effect.promise(async () => answer)
            }).pipe(
              Effect.catchCause((cause) =>
                Effect.failCause(
                  redactCause(cause, ...listSecrets(request).map((secret) => Redacted.make(secret)))
                )
              )
            )
            if (config === undefined || config === null) return yield* authenticateByKey(request)
            return yield* callers.resolve(config, "member").pipe(
              Effect.catchTag("InvalidRequest", ({ path, problem }) =>
                Effect.die(
                  new RangeError(
                    `authenticate returned no caller: ${[path.join("."), problem].filter((part) => part !== "").join(": ")}`
                  )
                )
              ),
              Effect.tapError((error) =>
                Effect.logError(`authenticate returned a caller of no workspace: ${error.message}`)
              )
            )
          })
        }
      })
    )
}

const makeKeyAuthenticator: Effect.Effect<
  (request: AuthenticationRequest) => CallerEffect,
  never,
  ApiKeyCache | Digest.Digest
> = Effect.gen(function* () {
  const keys = yield* ApiKeyCache
  const digest = yield* Digest.Digest
  return Effect.fnUntraced(function* ({ token }): Effect.fn.Return<Caller, Unauthenticated> {
    if (token === undefined) return yield* new Unauthenticated({ reason: "missing_key" })
    const secret = Redacted.make(token)
    const hash = yield* Effect.provideService(hashKey(secret), Digest.Digest, digest)
    const found = yield* keys.find(hash)
    const now = yield* Clock.currentTimeMillis
    return found !== undefined && verifySecret(hash, found.key, now)
      ? found.caller
      : yield* new Unauthenticated({ reason: "unknown_key" })
  })
})
