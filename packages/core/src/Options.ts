/** The options of an instance. */
import type * as HttpClient from "effect/http/HttpClient"
import type * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import type { Account } from "./tenants/accounts/Account.ts"
import type { KeyKind, KeyRateLimit, TokenRateLimit } from "./tenants/auth/keys/ApiKey.ts"
import type { AlertOptions } from "./domains/alerts/AlertOptions.ts"
import type { Authenticate } from "./tenants/auth/Authenticator.ts"
import type { ContentCheck } from "./routing/filters/ContentCheck.ts"
import type { RateLimitStore } from "./tenants/auth/rateLimits/RateLimitStore.ts"
import type { HostCredential } from "./tenants/byok/Credential.ts"
import type { CatalogOverlay } from "./engine/catalog/CatalogOverlay.ts"
import type { LastGoodStore, CatalogSource } from "./engine/catalog/source/CatalogSource.ts"
import type { PricesOption } from "./engine/catalog/prices/PriceBook.ts"
import type { ChatRequest } from "./domains/chat/request/ChatRequest.ts"
import type { ModelConfig } from "./engine/catalog/model/Model.ts"
import type { BundleConfig } from "./domains/customers/BundleConfig.ts"
import type { InternHost, InternHostService } from "./domains/interns/host/InternHost.ts"
import type { EligibilityRule } from "./domains/interns/Intern.ts"
import type { ListOrganization } from "./domains/organization/Organization.ts"
import type { PkceOptions } from "./domains/pkce/PkceOptions.ts"
import type { LegalHoldRule } from "./domains/people/LegalHold.ts"
import type { Destination } from "./engine/observability/broadcast/Broadcast.ts"
import type { IoDestination } from "./engine/observability/broadcast/IoLog.ts"
import type { ResponseCacheStore } from "./engine/cache/ResponseCacheStore.ts"
import type { ResponseCacheRules } from "./routing/cache/CacheWish.ts"
import type { FailureOverrides } from "./routing/attempt/failureRules.ts"
import type { RequestQueueOptions } from "./routing/attempt/concurrency/RequestQueue.ts"
import type { HedgingOptions } from "./routing/attempt/hedging/Hedger.ts"
import type { Strategy } from "./routing/plan/strategies/strategies.ts"
import type { Pluggable } from "./Pluggable.ts"
import type { SealingKeys } from "./engine/secrets/Sealer.ts"
import type { SettingsShape } from "./instance/Settings.ts"
import type { StoresOption } from "./storePorts.ts"
import type { Upstream } from "./engine/upstreams/Upstream.ts"
import type { BlobStore } from "./instance/BlobStore.ts"
import type { WorkspaceDefaults } from "./tenants/workspaces/WorkspaceDefaults.ts"

/**
 * An API key issued by the host. Only its SHA-256 is stored, when the key is first seen. Later changes and deletions
 * through the API take precedence over this configuration, as long as the store persists.
 */
export interface KeyConfig {
  /** The secret, in any format but not empty. */
  readonly key: string | Redacted.Redacted
  /** Acts for a member, for the organization, or for management, which cannot run models. */
  readonly kind: KeyKind
  /** Display name, up to 200 characters; default: the kind. */
  readonly name?: string
  /** Member that a `member` key acts for. */
  readonly user?: string
  /** Id of the account; default: `default`. */
  readonly account?: string
  /** Id or slug of a workspace of the account; default: its default workspace. `make` fails if it does not exist. */
  readonly workspace?: string
  /** Spending limit in USD per reset interval; default: the credits of the account. */
  readonly limit?: number
  /** Interval after which the spending resets, by `settings.limitTimeZone`; default: never. */
  readonly limitReset?: "daily" | "weekly" | "monthly"
  /** Whether spending on the account's own provider credentials counts; default: false. */
  readonly includeByokInLimit?: boolean
  /** Expiry, ISO 8601 with seconds and a time zone; default: never. */
  readonly expiresAt?: string
  /** Rate limit of the key, in place of `settings.rateLimit`. */
  readonly rateLimit?: KeyRateLimit
  /** Tokens the key may use in a window, in place of `settings.tokenRateLimit`. */
  readonly tokenRateLimit?: TokenRateLimit
  /** Requests the key may run in parallel, in place of `settings.maxParallelRequests`. */
  readonly maxParallelRequests?: number
}

/** Where interns run, and which callers may use them. */
export interface InternOptions {
  /** An intern host, an effect that makes one, or a layer of `InternHostService`; default: this process. */
  readonly host?: Pluggable<InternHostService, InternHost>
  /**
   * Domain for the built-in host, which serves interns at `<name>-<20 characters>.<domain>`; default: interns have no
   * hostnames.
   */
  readonly domain?: string
  /** Callers that may use interns; others get 404 on every intern path. Default: all. */
  readonly eligibility?: EligibilityRule
}

/** How the cache of responses is used. */
export interface ResponseCacheOptions extends ResponseCacheRules {
  /** Where answers are kept; default: in `stores`. */
  readonly store?: Pluggable<ResponseCacheStore, ResponseCacheStore["Service"]>
}

/** An experiment: another model for a share of the requests, instead of theirs or besides it. */
export interface ExperimentConfig {
  /** The requests that take part. */
  readonly match: {
    /** The requested model, by its slug or an alias. */
    readonly model: string
    /** Default: Decisions and chats. */
    readonly operation?: "decisions" | "chat"
    /** Id of the only account that takes part; default: all. */
    readonly account?: string
  }
  /** The model on trial, by its slug or an alias. */
  readonly to: string
  /**
   * `canary`: the model on trial answers the share, and the requested model where that fails. `shadow`: the model on
   * trial gets a copy of the share after the caller has its answer; its own answer is only measured.
   */
  readonly mode: "canary" | "shadow"
  /**
   * The share of the conversations, above 0 and at most 1, for a canary below 1. Requests of one `session_id`, else of one
   * `user`, are treated alike.
   */
  readonly share: number
  /**
   * The maximum cost of all attempts at the model on trial, in USD, a number or a decimal string. Shadows need it; a
   * canary ends when it is spent.
   */
  readonly budgetUsd?: number | string
}

/** A preset in code: the settings of requests that name it. */
export interface PresetConfig {
  /** Fields of a chat, by their names in the chat API; what the request itself says takes precedence. */
  readonly config: PresetFields
  /** The system prompt of requests that have none; default: none. */
  readonly systemPrompt?: string
  /** Display name, up to 200 characters; default: the slug. */
  readonly name?: string
  /** Up to 4,096 characters. */
  readonly description?: string
}

/** The fields of a chat that a preset may set. */
interface PresetFields extends Omit<
  ChatRequest,
  "messages" | "session_id" | "stream" | "stream_options" | "trace" | "user"
> {
  /** Whether answers come from the cache of answers; default: as the request says. */
  readonly cache_enabled?: boolean
  /** How long they are kept there, in seconds, 1 to 86,400, unless the request says it. */
  readonly cache_ttl_seconds?: number
}

/**
 * The options of `make`. Only `upstreams` and `models` are required, and both may be empty. `Source` is the type of the host's
 * own request that `authenticate` takes.
 */
export interface Options<Source = unknown> {
  /**
   * The providers, such as `openai({ apiKey })`, each with a unique slug. An entry may also be an effect that makes an
   * upstream, or a layer of `Upstream`.
   */
  readonly upstreams: ReadonlyArray<Pluggable<Upstream, Upstream>>
  /** The models, as a list or a source that is read periodically. */
  readonly models: ReadonlyArray<ModelConfig> | CatalogSource
  /** Additions and corrections to the models, by id. */
  readonly overlay?: CatalogOverlay
  /**
   * The prices of endpoints that state none, such as `modelsDevPrices` of `@signalbox/prices`; false: none. Default: these
   * prices, where `make` and `layer` are those of `@signalbox/node` or `@signalbox/web`.
   */
  readonly prices?: PricesOption
  /** Storage for the last valid catalog, used when the source is unavailable at startup. */
  readonly lastGood?: LastGoodStore
  /**
   * Storage, such as `sqlite({ path })` or `postgres({ url })` of `@signalbox/sql`; default: the memory of the process.
   * To replace a single store, use `Layer.provideMerge(mine, memoryStores)`. See docs/guides/extending.md.
   */
  readonly stores?: StoresOption
  /** API keys. Without keys and without `authenticate`, every request is rejected. */
  readonly keys?: ReadonlyArray<KeyConfig>
  /**
   * Restrictions of accounts; an account that is not listed has none. In a persistent store, changes through the API
   * remain until this configuration changes.
   */
  readonly accounts?: ReadonlyArray<Omit<Account, "id"> & { readonly id: string }>
  /**
   * Keys that encrypt customers' own credentials, webhook signing secrets and vault secrets; without them, none can be
   * stored. To rotate: add a new key, make it `current`, and remove the old one once `resealCredentials()` has nothing
   * left to do.
   */
  readonly sealing?: SealingKeys
  /** Provider credentials that the host configures for accounts; they require `sealing`. */
  readonly credentials?: ReadonlyArray<HostCredential & { readonly account?: string }>
  /** Credits in USD by account id, as decimal strings; accounts that are not listed are unlimited. */
  readonly credits?: Readonly<Record<string, string>>
  /**
   * Defaults for workspaces, such as `{ defaultTextModel: "author/model" }`. The settings of a workspace take
   * precedence. See docs/guides/workspaces.md.
   */
  readonly workspaceDefaults?: WorkspaceDefaults
  /**
   * Named sets of limits and rights for customers, such as `{ starter: { budget: { monthly: 20 }, models: ["openai/*"] } }`.
   * `signalbox.customers.create({ slug, bundle })` gives a customer one; a change here holds for all of its customers from
   * the next start. See docs/guides/sell-to-your-customers.md.
   */
  readonly bundles?: Readonly<Record<string, BundleConfig>>
  /**
   * Settings under names that requests of every workspace can use, such as `{ support: { config: { model: "author/model" } } }`
   * for `model: "@preset/support"`. They hide presets of workspaces with the same name, and the API cannot change them. See
   * docs/guides/presets.md.
   */
  readonly presets?: Readonly<Record<string, PresetConfig>>
  /**
   * Checks of content that guardrails may name in `content_filter_checks`, such as
   * `{ "person-name": { find: (text) => recognizer.findNames(text) } }`, or a question to a model. See
   * docs/guides/filter-content.md.
   */
  readonly contentChecks?: Readonly<Record<string, ContentCheck>>
  /**
   * Authenticates the host's own users by their sessions, cookies or tokens. If it returns undefined, the API keys
   * apply. It may also be an effect that makes the function, or a layer of `Authenticate`. See
   * docs/guides/users-from-your-login.md.
   */
  readonly authenticate?: Pluggable<Authenticate, Authenticate<Source>>
  /**
   * Shared store of rate limits, of tokens and parallel requests too, such as `redisRateLimits({ url })` of
   * `@signalbox/redis`; default: this process. While the store is unavailable, each process counts on its own.
   */
  readonly rateLimits?: Pluggable<RateLimitStore, RateLimitStore["Service"]>
  /**
   * Whether requests use the cache of responses that do not say, how long it keeps answers, who shares them, and where it
   * keeps them, such as `redisResponseCache({ url })` of `@signalbox/redis`; default: requests use it that ask for it, and
   * answers are kept in `stores`. See docs/guides/cache-answers.md.
   */
  readonly responseCache?: ResponseCacheOptions
  /**
   * Storage for the files of completed videos, which are kept for `settings.videoContentRetentionMillis`: a store such
   * as `fileBlobs(folder)` of `@signalbox/node`, an effect that makes one, or a layer of `BlobStore`. Default: files
   * are downloaded from the provider, as long as it has them.
   */
  readonly videoFiles?: Pluggable<BlobStore, BlobStore>
  /** Where interns run, and which callers may use them; default: in this process, for all callers. */
  readonly interns?: InternOptions
  /** Picks the first endpoint if the request sets no order; default: a random draw that favors low prices. */
  readonly strategy?: Strategy
  /**
   * Trials of other models: a canary answers a share of the requests and is rolled back when it does worse, a shadow gets
   * copies. See docs/guides/experiments.md.
   */
  readonly experiments?: ReadonlyArray<ExperimentConfig>
  /**
   * Starts a second attempt at another endpoint for streams whose first event is late, such as `{ share: 0.05 }`; `{}` for
   * the defaults. Default: false, never. See docs/guides/hedging.md.
   */
  readonly hedging?: HedgingOptions | false
  /**
   * Lets requests wait for endpoints that run as many requests as their `maxParallelRequests`, such as `{ maxLength: 500 }`;
   * `{}` for the defaults. Default: such requests fail at once. See docs/guides/limits.md.
   */
  readonly requestQueue?: RequestQueueOptions
  /** Overrides of the failure rules in docs/explanation/routing.md. */
  readonly failureRules?: FailureOverrides
  /**
   * Warns before spend limits and credits end, and when providers are down, such as `{ onAlert: (alert) => page(alert.message)
   * }`; `{}` for the defaults. Default: no alerts. See docs/guides/alerts.md.
   */
  readonly alerts?: AlertOptions
  /**
   * Functions that receive every generation, failed or not, except those of workspaces with
   * `is_observability_broadcast_enabled` set to false; as `{ onGeneration, onAlert }` also the alerts of `alerts`. They neither
   * delay nor fail requests. See docs/guides/observability.md.
   */
  readonly broadcast?: ReadonlyArray<Destination>
  /**
   * Receives inputs and outputs of workspaces with `is_observability_io_logging_enabled`, at their
   * `io_logging_sampling_rate` and for their `io_logging_api_key_ids` (see `toKeyNumber`).
   */
  readonly ioLog?: IoDestination
  /**
   * Whether to log one line per request, as JSON or, on a terminal, as readable text. Lines contain no secrets, inputs
   * or outputs. Default: false.
   */
  readonly log?: boolean
  /**
   * Exporter of spans, metrics and logs, such as `Otlp.layerJson` of `effect/observability`. It may provide a tracer
   * and loggers, and closes with the instance.
   */
  readonly telemetry?: Layer.Layer<never, never, HttpClient.HttpClient>
  /**
   * Lets applications on the machines of users get an API key, after the user has consented on a page of the host, such as
   * `{ callbackUrls: ["http://127.0.0.1/callback"] }`. Default: no application may. See docs/guides/sign-in-applications.md.
   */
  readonly pkce?: PkceOptions
  /**
   * Lists the people of an account for `GET /api/v1/organization/members`; nothing for an account that is no organization.
   * Default: none is. See docs/guides/keys.md.
   */
  readonly organization?: ListOrganization
  /**
   * Whether the records of a person must be kept for now, such as for a lawsuit: erasing that person is a 409 then. Default:
   * nobody's. See docs/guides/erase-a-person.md.
   */
  readonly legalHold?: LegalHoldRule
  /** Overrides of limits and timeouts. An unknown name or an invalid value is a `RangeError`. */
  readonly settings?: Partial<SettingsShape>
}
