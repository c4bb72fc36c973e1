/** What a host says when it makes a box. */
import type * as HttpClient from "effect/http/HttpClient"
import type * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import type { Account } from "./accounts/Account.ts"
import type { KeyKind, KeyRateLimit } from "./auth/keys/ApiKey.ts"
import type { Authenticate } from "./auth/Authenticator.ts"
import type { RateLimitStore } from "./auth/rateLimits/RateLimitStore.ts"
import type { HostCredential } from "./byok/Credentials.ts"
import type { CatalogOverlay } from "./catalog/CatalogOverlay.ts"
import type { LastGoodStore, CatalogSource } from "./catalog/source/CatalogSource.ts"
import type { ModelConfig } from "./catalog/model/Model.ts"
import type { InternHost, InternHostService } from "./interns/host/InternHost.ts"
import type { EligibilityRule } from "./interns/InternEligibility.ts"
import type { Destination } from "./observability/broadcast/Broadcast.ts"
import type { IoDestination } from "./observability/broadcast/IoLog.ts"
import type { FailureOverrides } from "./routing/attempt/failureRules.ts"
import type { Strategy } from "./routing/plan/strategies/Strategy.ts"
import type { Pluggable } from "./Pluggable.ts"
import type { SealingKeys } from "./secrets/Sealer.ts"
import type { SettingsShape } from "./Settings.ts"
import type { StoresOption } from "./storePorts.ts"
import type { Upstream } from "./upstreams/Upstream.ts"
import type { BlobStore } from "./videos/content/BlobStore.ts"
import type { WorkspaceDefaults } from "./workspaces/WorkspaceDefaults.ts"

/**
 * An API key the host issues; only its SHA-256 is kept. It is stored when it is first seen: what was
 * changed through the API stays changed, and what was deleted there stays deleted, as long as the store
 * remembers.
 */
export interface KeyConfig {
  /** The secret itself, of any form; an empty one is refused. */
  readonly key: string | Redacted.Redacted
  /** Whom it acts for: a member, the organization, or management, which runs no models. */
  readonly kind: KeyKind
  /** What people call it, up to 200 characters; default: its kind. */
  readonly name?: string
  /** The member a `member` key acts for. */
  readonly user?: string
  /** Default: `default`. */
  readonly account?: string
  /** The id or slug of a workspace that the account has; default: its default one. Making the service fails without it. */
  readonly workspace?: string
  /** USD it may spend between two resets; default: as much as the account has. */
  readonly limit?: number
  /** When its spending counts from zero again, in UTC, weeks from Monday; default: never. */
  readonly limitReset?: "daily" | "weekly" | "monthly"
  /** Whether what is spent on the account's own provider credentials counts too; default: no. */
  readonly includeByokInLimit?: boolean
  /** From when on it opens nothing: ISO 8601 with seconds and a zone; default: never. */
  readonly expiresAt?: string
  /** How often it may call, in place of `settings.rateLimit`. */
  readonly rateLimit?: KeyRateLimit
}

/** Where interns run, and who may have them. */
export interface InternOptions {
  /** A host of interns, an effect that makes it, or a layer of `InternHostService`; default: this process. */
  readonly host?: Pluggable<InternHostService, InternHost>
  /**
   * Of the host that is built in: interns are reached at `<name>-<20 characters>.<domain>`; default: they have no
   * hostname.
   */
  readonly domain?: string
  /** For whom there are interns; to other callers every path of theirs is unknown. Default: everybody. */
  readonly eligibility?: EligibilityRule
}

/** What a box is made of. Only `upstreams` and `models` are needed, and both may be empty. */
export interface Options {
  /**
   * The providers there are, such as `openai({ apiKey })`; each has a slug of its own. One may also be an effect that
   * makes it, or a layer of `Upstream`.
   */
  readonly upstreams: ReadonlyArray<Pluggable<Upstream, Upstream>>
  /** Written in code, or a source that is read now and again. */
  readonly models: ReadonlyArray<ModelConfig> | CatalogSource
  /** What the models' source does not know of them, by model id. */
  readonly overlay?: CatalogOverlay
  /** Where the last good catalog is kept, for a start without its source. */
  readonly lastGood?: LastGoodStore
  /**
   * Where everything that is written is kept, such as `sqlite({ path })` or `postgres({ url })` of
   * `@signalbox/sql`; default: in the memory of this process, until it ends. A store of your own is laid over others:
   * `Layer.provideMerge(mine, memoryStores)`. See docs/guides/extending.md.
   */
  readonly stores?: StoresOption
  /** What lets requests in. Without any, and without `authenticate`, nobody gets in. */
  readonly keys?: ReadonlyArray<KeyConfig>
  /**
   * Restrictions of accounts; an account that is not listed has none. Stores that last keep what was
   * changed through the API until something else is said here.
   */
  readonly accounts?: ReadonlyArray<Omit<Account, "id"> & { readonly id: string }>
  /**
   * The keys customers' own credentials, the signing secrets of webhooks and the secrets in vaults are
   * sealed with; without them none can be kept. A new key is added, made `current`, and the old one taken away once `resealCredentials()` found nothing to do.
   */
  readonly sealing?: SealingKeys
  /** Credentials for accounts, from the host itself; they need `sealing`. */
  readonly credentials?: ReadonlyArray<HostCredential & { readonly account?: string }>
  /** USD each account may spend, by account id, as decimal strings; not listed means unlimited. */
  readonly credits?: Readonly<Record<string, string>>
  /**
   * What holds in workspaces that state nothing else, such as `{ defaultTextModel: "author/model" }`. What a
   * workspace states over HTTP wins. See docs/guides/workspaces.md.
   */
  readonly workspaceDefaults?: WorkspaceDefaults
  /**
   * The host's own users, by their sessions, cookies or tokens: whom a request is from. When it returns nothing,
   * `keys` decide. It may also be an effect that makes the function, or a layer of `Authenticate`. See docs/guides/keys.md.
   */
  readonly authenticate?: Pluggable<Authenticate, Authenticate>
  /**
   * Where it is counted how often each key calls, such as `redisRateLimits({ url })` of `@signalbox/redis`;
   * default: in this process. While it does not answer, each process counts by itself.
   */
  readonly rateLimits?: Pluggable<RateLimitStore, RateLimitStore["Service"]>
  /**
   * Where the files of completed videos are kept for `settings.videoContentRetentionMillis`, such as
   * `fileBlobs(folder)` of `@signalbox/node`, an effect that makes it, or a layer of `BlobStore`; default: they are handed out for as long as their provider has
   * them.
   */
  readonly videoFiles?: Pluggable<BlobStore, BlobStore>
  /** Where interns run, and who may have them; default: in this process, for everybody. */
  readonly interns?: InternOptions
  /** Who is asked first when a request states no order; default: cheap endpoints more often. */
  readonly strategy?: Strategy
  /** What kinds of failures mean, where it is not as in docs/explanation/routing.md. */
  readonly failureRules?: FailureOverrides
  /**
   * Functions of the host that are told of every generation, answered or not, of every workspace that does not set
   * `is_observability_broadcast_enabled` to false. They delay and break nothing: see docs/guides/observability.md.
   */
  readonly broadcast?: ReadonlyArray<Destination>
  /**
   * Gets what was asked and answered, of workspaces with `is_observability_io_logging_enabled`, at their
   * `io_logging_sampling_rate` and for their `io_logging_api_key_ids` (see `toKeyNumber`).
   */
  readonly ioLog?: IoDestination
  /**
   * Writes one line for each request, as JSON or, on a terminal, for people; default: false. Without secrets and
   * without what was asked and answered.
   */
  readonly log?: boolean
  /**
   * What exports spans, metrics and logs, such as `Otlp.layerJson` of `effect/observability`. It may
   * provide a tracer and loggers, and is closed with the box.
   */
  readonly telemetry?: Layer.Layer<never, never, HttpClient.HttpClient>
  /** Limits and deadlines that are not to be as they are by default; an unknown or senseless one is a `RangeError`. */
  readonly settings?: Partial<SettingsShape>
}
