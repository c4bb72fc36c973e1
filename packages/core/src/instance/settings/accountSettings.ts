/** The settings of what accounts have and spend: the catalog and its charges, keys and quotas. */
import * as Schema from "effect/Schema"
import {
  bytes,
  count,
  hourMillis,
  millis,
  OptionalCount,
  Origin,
  RateLimit,
  RateLimitFailureMode,
  setting,
  TimeZone,
  TokenRateLimit,
  Weekday
} from "./settingSchemas.ts"

export const accountSettings = {
  "Catalog and charges": {
    catalogTimeoutMillis: millis(60_000, "Reading all pages of a catalog source."),
    maxCatalogModels: count(100_000, "Models that a catalog source may list."),
    maxCatalogBytes: bytes(
      67_108_864,
      "All pages of a server's catalog, or a catalog file. One page is also bounded by `maxUpstreamBodyBytes`."
    ),
    maxReportedUsageMultiple: count(
      2,
      "A reported usage above this multiple of the worst case is implausible."
    ),
    maxReportedCostMultiple: count(
      10,
      "A reported cost above this multiple of the price list is implausible."
    ),
    reservationLeaseMillis: millis(
      300_000,
      "Time after which an abandoned reservation is charged in full. A chat adds its own timeout."
    ),
    maxSpendCounters: count(
      100_000,
      "Keys, users and workspaces of one account whose spending and limits are tracked in memory."
    ),
    maxBudgetValues: count(
      10_000,
      "Values that a budget of each value counts by themselves in a day, week or month; all others share one counter."
    ),
    limitTimeZone: setting(
      TimeZone,
      "UTC",
      "The time zone at whose midnight spend limits reset, such as `Europe/Berlin`; the same in all processes."
    ),
    limitWeekStart: setting(Weekday, "monday", "The day on which weekly spend limits reset."),
    limitResetDay: count(
      1,
      "The day of the month on which monthly spend limits reset; the last day of a shorter month.",
      { maximum: 31 }
    )
  },
  "Keys and rate limits": {
    rateLimit: setting(
      RateLimit,
      undefined,
      "Rate limit of every key, as `{ requests, windowMillis }`; unlimited by default."
    ),
    tokenRateLimit: setting(
      TokenRateLimit,
      undefined,
      "Tokens that every key may use, as `{ tokens, windowMillis }`; unlimited by default."
    ),
    accountTokenRateLimit: setting(
      TokenRateLimit,
      undefined,
      "Tokens that all keys of an account together may use; unlimited by default."
    ),
    maxParallelRequests: setting(
      OptionalCount,
      undefined,
      "Requests to models that every key may run in parallel; unlimited by default."
    ),
    maxParallelRequestsPerAccount: setting(
      OptionalCount,
      undefined,
      "Requests to models that all keys of an account together may run in parallel; unlimited by default."
    ),
    rateLimitTimeoutMillis: millis(250, "How long a request waits for `Options.rateLimits`."),
    rateLimitRetryMillis: millis(1_000, "Time before a failed rate limit store is tried again."),
    rateLimitFailureMode: setting(
      RateLimitFailureMode,
      "local",
      "Who admits requests while `Options.rateLimits` cannot be used: each process by the whole limit (`local`), or by its share of it (`divide`), all (`open`), or none (`closed`)."
    ),
    maxCachedKeys: count(10_000, "API keys cached in memory."),
    keyCacheTtlMillis: millis(10_000, "How long a key is cached."),
    staleOnErrorMillis: millis(
      0,
      "How long cached keys and settings of accounts are served after they could last be confirmed, while the storage cannot be read; 0: not at all. Limits are not affected.",
      { minimum: 0, maximum: hourMillis }
    ),
    maxCachedUnknownKeys: count(10_000, "Unknown tokens cached in memory, apart from the keys."),
    unknownKeyCacheTtlMillis: millis(10_000, "How long an unknown token is cached."),
    authCodeExchangesPerMinute: count(
      600,
      "Exchanges of codes for keys that are tried in a minute, of all applications together."
    ),
    trustedOrigins: setting(
      Schema.Array(Origin).annotate({ message: "must be a list" }),
      [],
      "Other origins, such as `https://app.example.com`, whose pages may send requests without a token for users that `authenticate` recognises; `*` allows all and switches the check off."
    )
  },
  Quotas: {
    maxWorkspacesPerAccount: count(1_000, "Workspaces of an account."),
    maxMembersPerAccount: count(100_000, "Members of an account."),
    maxMembersPerWorkspace: count(10_000, "Members of a workspace."),
    maxKeysPerAccount: count(100_000, "API keys of an account."),
    maxKeysPerWorkspace: count(10_000, "API keys of a workspace."),
    maxAuthCodesPerAccount: count(
      1_000,
      "Codes of an account that applications have not exchanged for a key yet."
    ),
    maxGuardrailsPerAccount: count(10_000, "Guardrails of an account."),
    maxGuardrailsPerWorkspace: count(1_000, "Guardrails of a workspace."),
    maxBudgetsPerAccount: count(
      10_000,
      "Budgets of tags, models, providers and external users, of an account."
    ),
    maxBudgetsPerWorkspace: count(1_000, "The same of a workspace."),
    maxCredentialsPerAccount: count(10_000, "Provider credentials of an account."),
    maxCredentialsPerWorkspace: count(1_000, "Provider credentials of a workspace."),
    maxInternsPerAccount: count(10_000, "Interns of an account."),
    maxInternsPerWorkspace: count(1_000, "Interns of a workspace."),
    maxSecretsPerAccount: count(100_000, "Vault secrets of an account."),
    maxSecretsPerWorkspace: count(10_000, "Vault secrets of a workspace."),
    maxAlertRulesPerAccount: count(1_000, "Alert rules of an account."),
    maxAlertRulesPerWorkspace: count(100, "Alert rules of a workspace."),
    maxSavedViewsPerAccount: count(1_000, "Saved views of an account."),
    maxSavedViewsPerWorkspace: count(100, "Saved views of a workspace."),
    maxPresetsPerAccount: count(10_000, "Presets of an account."),
    maxPresetsPerWorkspace: count(1_000, "Presets of a workspace."),
    maxVersionsPerPreset: count(1_000, "Versions of a preset."),
    maxPresetBytes: bytes(
      262_144,
      "The settings of a version of a preset as JSON, with its system prompt."
    )
  }
}
