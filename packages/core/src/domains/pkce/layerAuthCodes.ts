/** The work of `AuthCodes`. */
import * as Digest from "effect/crypto/Digest"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Base64Url from "effect/encoding/Base64Url"
import * as Hex from "effect/encoding/Hex"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { Audit } from "../../engine/observability/audit/Audit.ts"
import * as Subject from "../../engine/ledger/Subject.ts"
import { hashSecret, isSameSecret } from "../../engine/secrets/hashKey.ts"
import { Settings } from "../../instance/Settings.ts"
import { Transaction } from "../../instance/Transaction.ts"
import { RateLimited } from "../../tenants/auth/AuthErrors.ts"
import type { Caller } from "../../tenants/auth/Caller.ts"
import type { ApiKey, GrantedAttributes, NewKey } from "../../tenants/auth/keys/ApiKey.ts"
import { ApiKeys } from "../../tenants/auth/keys/ApiKeys.ts"
import { ApiKeyStore } from "../../tenants/auth/keys/ApiKeyStore.ts"
import { canManageAccount } from "../../tenants/auth/permissions.ts"
import { toOwnerKey } from "../../tenants/auth/rateLimits/RequestLimiter.ts"
import { RateLimits } from "../../tenants/auth/rateLimits/RateLimits.ts"
import { Guardrails } from "../../tenants/guardrails/Guardrails.ts"
import { GuardrailStore } from "../../tenants/guardrails/GuardrailStore.ts"
import { toQuotas } from "../../tenants/workspaces/quotas.ts"
import { Workspaces } from "../../tenants/workspaces/Workspaces.ts"
import { enforceQuota } from "../../values/enforceQuota.ts"
import { InvalidRequest } from "../../values/errors/RequestErrors.ts"
import { omitUndefined } from "../../values/ownFields.ts"
import { unlimitedPage } from "../../values/pages/OffsetPage.ts"
import * as NanoUsd from "../../values/usage/NanoUsd.ts"
import {
  type AuthCode,
  AuthCodeRefused,
  AuthCodeStore,
  type ChallengeMethod,
  ConsentRefused,
  PkceOff
} from "./AuthCode.ts"
import type { NewAuthCode } from "./AuthCodeRequests.ts"
import { AuthCodes } from "./AuthCodes.ts"
import { CurrentPkce, findCallback, type PkceOptions } from "./PkceOptions.ts"

/** OpenRouter's codes last as long: https://openrouter.ai/docs/use-cases/oauth-pkce. */
const lifetimeMillis = 600_000

export const layerAuthCodes = Layer.effect(
  AuthCodes,
  Effect.gen(function* () {
    const audit = yield* Audit
    const digest = yield* Digest.Digest
    const guardrails = yield* Guardrails
    const guardrailStore = yield* GuardrailStore
    const keys = yield* ApiKeys
    const keyStore = yield* ApiKeyStore
    const pkce = yield* CurrentPkce
    const rateLimits = yield* RateLimits
    const settings = yield* Settings
    const store = yield* AuthCodeStore
    const { withTransaction } = yield* Transaction
    const workspaces = yield* Workspaces
    const quotas = toQuotas(settings)

    const requireOn: Effect.Effect<PkceOptions, PkceOff> =
      pkce === undefined ? Effect.fail(new PkceOff()) : Effect.succeed(pkce)

    /** The key that consents; undefined for a caller whom the host has authenticated. */
    const findKey = Effect.fnUntraced(function* ({ account, keyHash }: Caller) {
      const key = keyHash === undefined ? undefined : yield* keyStore.find(account, keyHash)
      // It could otherwise outlive what limits it, by a chain of keys.
      if (key?.granted_by !== undefined) {
        return yield* new ConsentRefused({
          problem: "a key that an application got by signing in cannot consent for another one"
        })
      }
      return key
    })

    const findWorkspace = Effect.fnUntraced(function* (caller: Caller, ref: string | undefined) {
      if (ref === undefined) return caller.workspace
      const id = yield* workspaces.resolve(caller, ref)
      return id === caller.workspace || caller.kind === "host" || canManageAccount(caller)
        ? id
        : yield* new ConsentRefused({ problem: "the workspace is not that of the caller" })
    })

    /** The proof of the application: its verifier, as the challenge was made of it. */
    const isProven = ({ challenge, method }: AuthCode, verifier: string) =>
      method === "plain"
        ? Effect.succeed(isSameSecret(challenge, verifier))
        : Effect.map(digest.digest(Digest.sha256, new TextEncoder().encode(verifier)), (bytes) =>
            isSameSecret(challenge, Base64Url.encode(bytes))
          )

    /** Guardrails of the key hold for the one that is made with its consent. */
    const copyGuardrail = Effect.fnUntraced(function* (code: AuthCode, made: ApiKey) {
      const { account, consentedBy } = code
      if (consentedBy === undefined) return
      const { rows } = yield* guardrailStore.listAssignments(
        account,
        "key",
        undefined,
        unlimitedPage
      )
      const own = rows.find(({ subject }) => subject === consentedBy)
      if (own === undefined) return
      yield* guardrails.assignKeys(toActor(code), own.guardrail_id, [made.hash])
    })

    const issue = Effect.fnUntraced(function* (code: AuthCode, now: DateTime.Utc) {
      if (!(yield* store.take(code.hash))) return yield* new AuthCodeRefused()
      if (code.consentedBy !== undefined) {
        const consenting = yield* keyStore.find(code.account, code.consentedBy)
        if (
          consenting === undefined ||
          !isUsable(consenting, now) ||
          hasChanged(consenting, code.expiresAt - lifetimeMillis)
        ) {
          return yield* new AuthCodeRefused()
        }
      }
      const issued = yield* keys.grant(toActor(code), code.key, code.attributes)
      yield* copyGuardrail(code, issued.key)
      return issued
    })

    return {
      create: Effect.fnUntraced(function* (caller, config) {
        const { allowPlain = false, callbackUrls } = yield* requireOn
        const app = yield* findApp(callbackUrls, config.callback_url)
        const method = yield* parseMethod(config.code_challenge_method ?? "S256", allowPlain)
        if (method === "S256" && config.code_challenge.length !== 43) {
          return yield* failInvalid("code_challenge", "must be the base64url of a SHA-256")
        }
        const at = yield* DateTime.now
        const consenting = yield* findKey(caller)
        const workspace = yield* findWorkspace(caller, config.workspace_id)
        const secret = `sb-code-${Hex.encode(SecureRandom.randomBytesUnsafe(32))}`
        const expiresAt = yield* findExpiry(config.expires_at ?? undefined, consenting, at)
        const code: AuthCode = {
          hash: yield* hashSecret(digest, secret),
          account: caller.account,
          ...omitUndefined({ user: caller.user, consentedBy: consenting?.hash }),
          challenge: config.code_challenge,
          method,
          expiresAt: at.epochMilliseconds + lifetimeMillis,
          key: {
            name: config.key_label ?? "Application",
            ...(yield* findLimit(caller, config)),
            expires_at: expiresAt ?? null,
            workspace_id: workspace,
            creator_user_id: caller.user ?? null
          },
          attributes: toAttributes(caller)
        }
        yield* audit.change(
          caller,
          "auth_code.create",
          Effect.gen(function* () {
            yield* enforceQuota(
              quotas.authCodes,
              () => store.count(caller.account, at.epochMilliseconds),
              store.put(code, at.epochMilliseconds)
            )
            const after = { app, callback_url: config.callback_url ?? null, key: code.key }
            return { result: undefined, target: code.hash, after }
          })
        )
        return {
          code: Redacted.make(secret, { label: "auth code" }),
          app,
          createdAt: DateTime.formatIso(at)
        }
      }, Effect.uninterruptible),
      exchange: Effect.fnUntraced(function* ({ code: text, code_challenge_method, code_verifier }) {
        const { allowPlain = false } = yield* requireOn
        const stated =
          code_challenge_method == null
            ? undefined
            : yield* parseMethod(code_challenge_method, allowPlain)
        const now = yield* DateTime.now
        const { authCodeExchangesPerMinute: requests } = settings
        const retryAfterMillis = yield* rateLimits.take("auth-codes", {
          requests,
          windowMillis: 60_000
        })
        if (retryAfterMillis > 0) {
          return yield* new RateLimited({
            limit: requests,
            retryAfterMillis,
            resetAt: now.epochMilliseconds + retryAfterMillis
          })
        }
        const code = yield* store.find(yield* hashSecret(digest, text))
        if (code === undefined || code.expiresAt <= now.epochMilliseconds) {
          return yield* new AuthCodeRefused()
        }
        if (stated !== undefined && stated !== code.method) {
          return yield* failInvalid(
            "code_challenge_method",
            "is not the method with which the code was made"
          )
        }
        // The host may have stopped to allow it since the code was made.
        if (code.method === "plain" && !allowPlain) return yield* new AuthCodeRefused()
        // A wrong verifier does not use the code up, so a thief of the code cannot spoil it.
        if (!(yield* isProven(code, code_verifier ?? ""))) return yield* new AuthCodeRefused()
        const issued = yield* Effect.catchTags(withTransaction(issue(code, now)), {
          // The workspace is gone, or the key would have expired by now.
          InvalidRequest: refuse,
          ResourceNotFound: refuse
        })
        return { key: issued.secret, user: code.user ?? null }
      }, Effect.uninterruptible)
    }
  })
)

const refuse = (): Effect.Effect<never, AuthCodeRefused> => Effect.fail(new AuthCodeRefused())

const failInvalid = (field: string, problem: string): Effect.Effect<never, InvalidRequest> =>
  Effect.fail(new InvalidRequest({ path: [field], problem }))

const findApp = (
  listed: ReadonlyArray<string>,
  callback: string | undefined
): Effect.Effect<number, InvalidRequest> => {
  if (callback === undefined) return Effect.succeed(0)
  const app = findCallback(listed, callback)
  return app === undefined
    ? failInvalid(
        "callback_url",
        "is not an address that the host has listed in pkce.callbackUrls; leave it out to show the code"
      )
    : Effect.succeed(app)
}

const parseMethod = (
  method: string,
  allowPlain: boolean
): Effect.Effect<ChallengeMethod, InvalidRequest> => {
  if (method === "S256" || (method === "plain" && allowPlain)) return Effect.succeed(method)
  return failInvalid("code_challenge_method", `must be ${allowPlain ? "S256 or plain" : "S256"}`)
}

const isUsable = ({ disabled, expires_at }: ApiKey, now: DateTime.Utc): boolean =>
  !disabled && (expires_at === null || Date.parse(expires_at) > now.epochMilliseconds)

/** What was consented to may be more than the key may now. */
const hasChanged = ({ updated_at }: ApiKey, consentedAt: number): boolean =>
  updated_at !== null && Date.parse(updated_at) > consentedAt

/** No later than the key that consents. */
const findExpiry = (
  requested: string | undefined,
  consenting: ApiKey | undefined,
  now: DateTime.Utc
): Effect.Effect<string | undefined, InvalidRequest> => {
  const latest = consenting?.expires_at ?? undefined
  if (requested === undefined) return Effect.succeed(latest)
  if (Date.parse(requested) <= now.epochMilliseconds) {
    return failInvalid("expires_at", "must lie in the future")
  }
  return latest !== undefined && Date.parse(requested) > Date.parse(latest)
    ? failInvalid("expires_at", `must not be later than ${latest}, when the caller's key expires`)
    : Effect.succeed(requested)
}

/** Its own limit. That of who consents binds it in any case, together with all that this one spends. */
const findLimit = (
  { limit: own }: Caller,
  { limit, usage_limit_type }: NewAuthCode
): Effect.Effect<
  Pick<NewKey, "include_byok_in_limit" | "limit" | "limit_reset">,
  InvalidRequest
> => {
  if (limit === undefined) {
    if (usage_limit_type !== undefined) return failInvalid("usage_limit_type", "needs a limit")
    return Effect.succeed(
      own === undefined
        ? {}
        : {
            limit: NanoUsd.toUsdNumber(own.cap),
            limit_reset: own.reset,
            include_byok_in_limit: own.includesByok
          }
    )
  }
  const reset = usage_limit_type ?? null
  if (own !== undefined && own.soft !== true && own.reset === reset) {
    const most = NanoUsd.toUsdNumber(own.cap)
    if (limit > most) {
      return failInvalid("limit", `must not exceed ${most} USD, the limit of the caller`)
    }
  }
  return Effect.succeed({
    limit,
    limit_reset: reset,
    include_byok_in_limit: own?.includesByok ?? false
  })
}

/** What binds who consents, besides guardrails: the key is bound by the same. */
const toAttributes = (caller: Caller): GrantedAttributes => {
  const { limit, tags } = caller
  return {
    granted_by: {
      subject: Subject.fromCaller(caller),
      rate_owner: toOwnerKey(caller),
      limit:
        limit === undefined
          ? null
          : {
              nano_usd: String(limit.cap),
              reset: limit.reset,
              includes_byok: limit.includesByok,
              ...(limit.soft === true ? { soft: true } : undefined)
            }
    },
    host_rate_limit: caller.rateLimit ?? null,
    rate_limit: caller.ownRateLimit ?? null,
    host_token_rate_limit: caller.tokenRateLimit ?? null,
    token_rate_limit: caller.ownTokenRateLimit ?? null,
    host_max_parallel_requests: caller.maxParallelRequests ?? null,
    max_parallel_requests: caller.ownMaxParallelRequests ?? null,
    ...(tags === undefined ? undefined : { tags })
  }
}

const toActor = ({ account, consentedBy, user }: AuthCode) => ({
  account,
  ...omitUndefined({ user, keyHash: consentedBy })
})
