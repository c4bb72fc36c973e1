/** Handlers of the API key operations. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { getCalendar } from "../../engine/ledger/Calendar.ts"
import { LedgerStore } from "../../engine/ledger/LedgerStore.ts"
import { noSpend, type Spend, SpendCounters } from "../../engine/ledger/SpendCounters.ts"
import * as Subject from "../../engine/ledger/Subject.ts"
import { Settings, type SettingsShape } from "../../instance/Settings.ts"
import { type Caller, listRateLimits } from "../../tenants/auth/Caller.ts"
import type { ApiKey, KeyRateLimit } from "../../tenants/auth/keys/ApiKey.ts"
import { ApiKeys, type IssuedKey, type KeyWithSpend } from "../../tenants/auth/keys/ApiKeys.ts"
import { findRemaining } from "../../tenants/auth/keys/findRemaining.ts"
import type { KeyLimit } from "../../tenants/auth/keys/KeyLimit.ts"
import { canManageAccount } from "../../tenants/auth/permissions.ts"
import * as NanoUsd from "../../values/usage/NanoUsd.ts"
import type { Handlers } from "../operation/Handler.ts"
import { resourceHandlers } from "../operation/resourceHandlers.ts"
import type { CurrentKeyResponse, KeyResponse, KeysApi } from "./KeysApi.ts"

export const keysHandlers = Effect.gen(function* () {
  const keys = yield* ApiKeys
  const counters = yield* SpendCounters
  const ledger = yield* LedgerStore
  const settings = yield* Settings
  const calendar = getCalendar(settings)
  const { rateLimit } = settings

  /** For callers whose key is not in the store. */
  const getCallerSpend = Effect.fnUntraced(function* (caller: Caller) {
    const subject = Subject.fromCaller(caller)
    const now = yield* Clock.currentTimeMillis
    const spends = yield* counters.findSpend([subject], now)
    const remaining = yield* findRemaining(ledger, calendar, caller, now)
    return { spend: spends.get(subject) ?? noSpend, remaining }
  })

  return {
    ...resourceHandlers("hash", keys, toKeyResponse),
    create: ({ payload }, { caller }) =>
      Effect.map(keys.create(caller, payload), toIssuedKeyResponse),
    getCurrent: (_, { caller }) =>
      Effect.map(
        caller.keyHash === undefined
          ? getCallerSpend(caller)
          : // A host's `authenticate` may report keys that the store does not have.
            Effect.catchTag(keys.get(caller, caller.keyHash), "ResourceNotFound", () =>
              getCallerSpend(caller)
            ),
        (found) => ({ data: toCurrentKeyResponse(caller, found, rateLimit) })
      ),
    rotate: ({ params, payload }, { caller }) =>
      Effect.map(keys.rotate(caller, params.hash, payload.grace_seconds ?? 0), toIssuedKeyResponse),
    setRateLimit: ({ params, payload }, { caller }) =>
      Effect.map(keys.setRateLimit(caller, params.hash, payload), (changed) => ({
        data: toKeyResponse(changed)
      }))
  } satisfies Handlers<typeof KeysApi>
})

const toIssuedKeyResponse = (issued: IssuedKey) => ({
  data: toKeyResponse(issued),
  key: Redacted.value(issued.secret)
})

/** Converts API keys to responses: amounts in USD, without the secret. */
const toKeyResponse = ({ key, ...spending }: KeyWithSpend): typeof KeyResponse.Type => ({
  hash: key.hash,
  name: key.name,
  label: key.label,
  workspace_id: key.workspace,
  disabled: key.disabled,
  ...toSpendingFields(key, spending),
  created_at: key.created_at,
  updated_at: key.updated_at,
  expires_at: key.expires_at,
  creator_user_id: key.creator_user_id,
  external_user: key.external_user,
  tags: key.tags ?? {},
  rate_limit: key.rate_limit,
  token_rate_limit: key.token_rate_limit ?? null,
  max_parallel_requests: key.max_parallel_requests ?? null
})

/** A host's user calls without a key; the limit and the spending are then the user's own. */
const toCurrentKeyResponse = (
  caller: Caller,
  { key, ...spending }: Spending & { readonly key?: ApiKey },
  rateLimit: SettingsShape["rateLimit"]
): typeof CurrentKeyResponse.Type => {
  const isManagement = canManageAccount(caller)
  const limit = findLowestRateLimit(listRateLimits(caller, rateLimit))
  return {
    label: key?.label ?? "",
    ...(key === undefined
      ? { ...toLimitFields(caller.limit), ...toUsageFields(spending) }
      : toSpendingFields(key, spending)),
    expires_at: key?.expires_at ?? null,
    workspace_id: caller.workspace,
    organization_id: caller.account,
    creator_user_id: key?.creator_user_id ?? caller.user ?? null,
    is_management_key: isManagement,
    is_provisioning_key: isManagement,
    is_free_tier: false,
    free_model_daily_requests: { limit: 0, remaining: 0, used: 0 },
    // Keys are not restricted to regions.
    allowed_data_regions: ["global"],
    rate_limit:
      limit === undefined
        ? { requests: -1, interval: "1s", note: "This key has no rate limit." }
        : {
            requests: limit.requests,
            interval: formatInterval(limit.windowMillis),
            note: "Requests per interval that this key may make."
          }
  }
}

/** A response has one `rate_limit`, so the strictest of several is reported. */
const findLowestRateLimit = (limits: ReadonlyArray<KeyRateLimit>): KeyRateLimit | undefined =>
  limits.toSorted((self, that) => toRequestsPerMilli(self) - toRequestsPerMilli(that))[0]

const toRequestsPerMilli = ({ requests, windowMillis }: KeyRateLimit): number =>
  requests / windowMillis

type Spending = Omit<KeyWithSpend, "key">

const toSpendingFields = (key: ApiKey, spending: Spending) => ({
  limit: key.limit,
  limit_reset: key.limit_reset,
  include_byok_in_limit: key.include_byok_in_limit,
  ...(key.soft_limit === undefined ? undefined : { soft_limit: key.soft_limit }),
  ...toUsageFields(spending)
})

const toLimitFields = (limit: KeyLimit | undefined) => ({
  limit: limit === undefined ? null : NanoUsd.toUsdNumber(limit.cap),
  limit_reset: limit?.reset ?? null,
  include_byok_in_limit: limit?.includesByok ?? false,
  ...(limit?.soft === true ? { soft_limit: true } : undefined)
})

const toUsageFields = ({ remaining, spend }: Spending) => ({
  limit_remaining: remaining === undefined ? null : NanoUsd.toUsdNumber(remaining),
  ...toUsdFields(spend)
})

const toUsdFields = (spend: Spend) => ({
  usage: NanoUsd.toUsdNumber(spend.usage),
  usage_daily: NanoUsd.toUsdNumber(spend.usage_daily),
  usage_weekly: NanoUsd.toUsdNumber(spend.usage_weekly),
  usage_monthly: NanoUsd.toUsdNumber(spend.usage_monthly),
  byok_usage: NanoUsd.toUsdNumber(spend.byok_usage),
  byok_usage_daily: NanoUsd.toUsdNumber(spend.byok_usage_daily),
  byok_usage_weekly: NanoUsd.toUsdNumber(spend.byok_usage_weekly),
  byok_usage_monthly: NanoUsd.toUsdNumber(spend.byok_usage_monthly)
})

const formatInterval = (millis: number): string =>
  millis % 1000 === 0 ? `${millis / 1000}s` : `${millis}ms`
