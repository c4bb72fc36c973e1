/** Turns a request into its caller. A port: a host with its own users replaces it. */
import * as Clock from "effect/Clock"
import * as Digest from "effect/crypto/Digest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { memoize } from "effect/Function"
import * as Headers from "effect/http/Headers"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { hashSecret, isSameSecret } from "../../engine/secrets/hashKey.ts"
import { redactCause } from "../../engine/secrets/redact.ts"
import type { KeyHash } from "../../values/ids/Ids.ts"
import type { ApiKey } from "./keys/ApiKey.ts"
import { ApiKeyCache, type CachedKey } from "./keys/ApiKeyCache.ts"
import {
  type AuthenticationRequest,
  listSecrets,
  type RequestArrival
} from "./AuthenticationRequest.ts"
import {
  type AuthenticationError,
  CrossOriginRequest,
  type CustomerRefused,
  Unauthenticated
} from "./AuthErrors.ts"
import { type Bundle, CurrentBundles, findBundle } from "./bundles/Bundle.ts"
import type { Caller } from "./Caller.ts"
import type { CallerConfig } from "./CallerConfig.ts"
import { Callers } from "./Callers.ts"
import { makeOriginCheck } from "./crossOrigin.ts"
import { WorkspaceStore } from "../workspaces/WorkspaceStore.ts"
import { isExit, isSuccess } from "../../values/eager.ts"
import * as Step from "../../values/Step.ts"

type AuthenticateResult = CallerConfig | null | undefined

/**
 * A function of the host that returns the caller of a request, directly, as a promise or as an effect. When it
 * returns nothing, the bearer token is looked up among the API keys. Its errors are bugs: they are logged without the
 * secrets of the request, and the response is a 500. `Source` is the type of the host's own request.
 */
export type Authenticate<Source = unknown> = (
  request: AuthenticationRequest<Source>
) => AuthenticateResult | Promise<AuthenticateResult> | Effect.Effect<AuthenticateResult, unknown>

/** The service of a host that provides its function as a layer. */
export const Authenticate: Context.Service<Authenticate, Authenticate> = Context.Service(
  "@signalbox/core/tenants/auth/Authenticate"
)

/** Turns a request into its caller. */
export class Authenticator extends Context.Service<
  Authenticator,
  {
    readonly authenticate: (
      request: AuthenticationRequest,
      arrival?: RequestArrival
    ) => Effect.Effect<Caller, AuthenticationError>
  }
>()("@signalbox/core/tenants/auth/Authenticator") {
  /**
   * Looks the token up among the stored API keys by its SHA-256. Disabled and expired keys fail like unknown ones. The
   * latest key of a connection is hashed once, because hashing takes longer than all else here; it is kept until the
   * connection is closed.
   */
  static readonly layer = Layer.effect(
    Authenticator,
    Effect.gen(function* () {
      const keys = yield* ApiKeyCache
      const digest = yield* Digest.Digest
      const clock = yield* Clock.Clock
      const bundles = yield* CurrentBundles
      const workspaces = yield* WorkspaceStore
      const latestKeys = new WeakMap<object, HashedKey>()

      /** Adds the present bundle of its customer to the caller of a key; fails while the customer is suspended. */
      const addBundle = (
        caller: Caller
      ): Effect.Effect<Caller, CustomerRefused | Unauthenticated> =>
        Step.flatMap(
          workspaces.findById(caller.account, caller.workspace),
          (workspace): Effect.Effect<Caller, CustomerRefused | Unauthenticated> =>
            workspace === undefined
              ? Effect.fail(new Unauthenticated({ reason: "unknown_key" }))
              : Step.map(findBundle(bundles, workspace), (bundle) =>
                  bundle === undefined ? caller : withBundle(caller)(bundle)
                )
        )
      const verify = (
        hash: KeyHash,
        found: CachedKey | undefined
      ): Effect.Effect<Caller, CustomerRefused | Unauthenticated> => {
        if (
          found === undefined ||
          !verifySecret(hash, found.key, clock.currentTimeMillisUnsafe())
        ) {
          return Effect.fail(new Unauthenticated({ reason: "unknown_key" }))
        }
        return found.key.customer === true && found.key.kind !== "management"
          ? addBundle(found.caller)
          : Effect.succeed(found.caller)
      }

      return {
        authenticate: ({ token }, { connection } = noArrival) => {
          if (token === undefined)
            return Effect.fail(new Unauthenticated({ reason: "missing_key" }))
          const latest = connection === undefined ? undefined : latestKeys.get(connection)
          if (latest !== undefined && isSameSecret(latest.token, token)) {
            const { hash } = latest
            const finding = keys.find(hash)
            return isSuccess(finding)
              ? verify(hash, finding.value)
              : Step.flatMap(finding, (found) => verify(hash, found))
          }
          return Step.flatMap(hashSecret(digest, token), (hash) =>
            Step.flatMap(keys.find(hash), (found) => {
              const verified = verify(hash, found)
              if (connection === undefined || (isExit(verified) && !isSuccess(verified))) {
                return verified
              }
              latestKeys.set(connection, { token, hash })
              return verified
            })
          )
        }
      }
    })
  )

  /** Asks the host first, and looks up API keys when it returns no caller. */
  static readonly layerHost = (
    authenticate: Authenticate
  ): Layer.Layer<Authenticator, never, Callers | ApiKeyCache | Digest.Digest | WorkspaceStore> =>
    Layer.effect(
      Authenticator,
      Effect.gen(function* () {
        const byKey = yield* Authenticator
        const callers = yield* Callers
        const isForged = yield* makeOriginCheck
        return {
          authenticate: Effect.fnUntraced(function* (request, arrival) {
            const config = yield* callHost(request, authenticate)
            if (config === undefined || config === null) {
              return yield* byKey.authenticate(request, arrival)
            }
            if (isForged(request, arrival)) {
              return yield* new CrossOriginRequest({ origin: request.headers["origin"] })
            }
            return yield* callers.resolve(config, "member").pipe(
              Effect.catchTag("InvalidRequest", ({ path, problem }) =>
                Effect.die(
                  new RangeError(
                    `authenticate returned no caller: ${[path.join("."), problem].filter((part) => part !== "").join(": ")}`
                  )
                )
              ),
              Effect.tapErrorTag("WorkspaceNotFound", (error) =>
                Effect.logError(`authenticate returned a caller of no workspace: ${error.message}`)
              )
            )
          })
        }
      })
    ).pipe(Layer.provide(Authenticator.layer))
}

const noArrival: RequestArrival = {}

/** Memoized, so that the requests of a key have one caller until its customer is moved. */
const withBundle = memoize((caller: Caller) =>
  memoize((bundle: Bundle): Caller => ({ ...caller, bundle }))
)

interface HashedKey {
  readonly token: string
  readonly hash: KeyHash
}

/** Whether a secret opens a key at `now`, in milliseconds since the epoch. */
const verifySecret = (secret: KeyHash, key: ApiKey, now: number): boolean => {
  if (key.disabled || isPast(key.expires_at, now)) return false
  if (isSameSecret(key.secret_hash, secret)) return true
  const { former_secret: former } = key
  return former !== null && isSameSecret(former.hash, secret) && !isPast(former.expires_at, now)
}

const isPast = (expiresAt: string | null, now: number): boolean =>
  expiresAt !== null && Date.parse(expiresAt) <= now

/**
 * Calls a function of the host with a request. Its errors are defects, without the secrets of the request, so that
 * those reach no log.
 */
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
