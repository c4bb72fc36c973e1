/** Turns a request into a caller. A port: a host with its own users replaces it. */
import * as Clock from "effect/Clock"
import * as Digest from "effect/crypto/Digest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { hashKey } from "../secrets/hashKey.ts"
import { struckOut } from "../secrets/struckOut.ts"
import { type AuthenticationRequest, secretsOf } from "./AuthenticationRequest.ts"
import { type NoWorkspace, Unauthenticated } from "./AuthErrors.ts"
import type { Caller } from "./Caller.ts"
import type { CallerConfig } from "./CallerConfig.ts"
import { Callers } from "./Callers.ts"
import { KnownKeys } from "./KnownKeys.ts"
import { opens } from "./opens.ts"

type Asked = CallerConfig | null | undefined

/**
 * The host's own function: whom a request is from, now, as a promise or as an effect. When it returns nothing, the
 * bearer token is looked up among the keys. What it throws or fails with is a bug: logged without the secrets of the
 * request, answered with 500.
 */
export type Authenticate = (
  request: AuthenticationRequest
) => Asked | Promise<Asked> | Effect.Effect<Asked, unknown>

/** The service of a host that makes its function with a layer. */
export const Authenticate: Context.Service<Authenticate, Authenticate> = Context.Service(
  "@signalbox/core/auth/Authenticator/Authenticate"
)

type Answer = Effect.Effect<Caller, NoWorkspace | Unauthenticated>

/** Turns a request into its caller. */
export class Authenticator extends Context.Service<
  Authenticator,
  { readonly authenticate: (request: AuthenticationRequest) => Answer }
>()("@signalbox/core/auth/Authenticator") {
  /**
   * Looks the token up among the stored API keys, by its SHA-256. A key that is disabled or expired is
   * turned away in the words for one that nobody issued.
   */
  static readonly layer: Layer.Layer<Authenticator, never, KnownKeys | Digest.Digest> =
    Layer.effect(
      Authenticator,
      Effect.suspend(() => Effect.map(makeByKey, (authenticate) => ({ authenticate })))
    )

  /** Asks the host first. */
  static readonly layerHost = (
    authenticate: Authenticate
  ): Layer.Layer<Authenticator, never, Callers | KnownKeys | Digest.Digest> =>
    Layer.effect(
      Authenticator,
      Effect.gen(function* () {
        const byKey = yield* makeByKey
        const callers = yield* Callers
        return {
          authenticate: Effect.fnUntraced(function* (request): Effect.fn.Return<
            Caller,
            NoWorkspace | Unauthenticated
          > {
            const config = yield* Effect.suspend(() => {
              const answer = authenticate(request)
              return Effect.isEffect(answer)
                ? Effect.orDie(answer)
                : Effect.promise(async () => answer)
            }).pipe(
              Effect.catchCause((cause) =>
                Effect.failCause(
                  struckOut(cause, ...secretsOf(request).map((secret) => Redacted.make(secret)))
                )
              )
            )
            if (config === undefined || config === null) return yield* byKey(request)
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

const makeByKey: Effect.Effect<
  (request: AuthenticationRequest) => Answer,
  never,
  KnownKeys | Digest.Digest
> = Effect.gen(function* () {
  const keys = yield* KnownKeys
  const digest = yield* Digest.Digest
  return Effect.fnUntraced(function* ({ token }): Effect.fn.Return<Caller, Unauthenticated> {
    if (token === undefined) return yield* new Unauthenticated({ reason: "missing_key" })
    const secret = Redacted.make(token)
    const hash = yield* Effect.provideService(hashKey(secret), Digest.Digest, digest)
    const found = yield* keys.find(hash)
    const now = yield* Clock.currentTimeMillis
    return found !== undefined && opens(hash, found.key, now)
      ? found.caller
      : yield* new Unauthenticated({ reason: "unknown_key" })
  })
})
