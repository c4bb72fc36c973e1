/** Every service of a box, wired from its options: what an Effect host provides to its program. */
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { Atomically } from "./Atomically.ts"
import { Accounts } from "./accounts/Accounts.ts"
import { HostAccount } from "./accounts/AccountSettings.ts"
import { AccountStore } from "./accounts/AccountStore.ts"
import * as ApiKey from "./auth/ApiKey.ts"
import { ApiKeys } from "./auth/ApiKeys.ts"
import { ApiKeyStore } from "./auth/ApiKeyStore.ts"
import { Authenticate, Authenticator } from "./auth/Authenticator.ts"
import { Callers } from "./auth/Callers.ts"
import { KnownKeys } from "./auth/KnownKeys.ts"
import { RateLimitStore } from "./auth/RateLimitStore.ts"
import { RequestLimiter } from "./auth/RequestLimiter.ts"
import { Credentials } from "./byok/Credentials.ts"
import { Catalog } from "./catalog/Catalog.ts"
import { Chats } from "./chat/Chats.ts"
import { Decisions } from "./decisions/Decisions.ts"
import { Guardrails } from "./guardrails/Guardrails.ts"
import { Health } from "./health/Health.ts"
import { ModelUsage } from "./health/ModelUsage.ts"
import { Admission } from "./http/Admission.ts"
import { App } from "./http/App.ts"
import { Drain } from "./http/Drain.ts"
import { inProcessHost } from "./interns/inProcessHost.ts"
import { type InternHost, InternHosting } from "./interns/InternHost.ts"
import { InternProgramme } from "./interns/InternProgramme.ts"
import { InternChats } from "./interns/InternChats.ts"
import { Interns } from "./interns/Interns.ts"
import { layerInternWorker } from "./interns/InternWorker.ts"
import { DurableJobs } from "./jobs/DurableJobs.ts"
import { Ledger } from "./ledger/Ledger.ts"
import { LedgerStore } from "./ledger/LedgerStore.ts"
import { Listing } from "./listing/Listing.ts"
import { memoryStores } from "./memoryStores.ts"
import { Audit } from "./observability/Audit.ts"
import { Broadcast } from "./observability/Broadcast.ts"
import { Generations } from "./observability/Generations.ts"
import { IoLog } from "./observability/IoLog.ts"
import { layerLineLogger } from "./observability/lineLogger.ts"
import { Metrics } from "./observability/Metrics.ts"
import { layerReportExports } from "./observability/reportExports.ts"
import { LogsRequests } from "./observability/RequestFacts.ts"
import type { Wishes } from "./observability/Wishes.ts"
import { checkOptions } from "./checkOptions.ts"
import type { InternOptions, KeyConfig, Options } from "./Options.ts"
import { buildPluggable, type Platform } from "./Pluggable.ts"
import { layerStores, type Stores } from "./storePorts.ts"
import { isObject } from "./upstreams/isObject.ts"
import { withOverrides } from "./routing/failureRules.ts"
import { priceWeighted } from "./routing/priceWeighted.ts"
import { Routing } from "./routing/Routing.ts"
import { RoutingRules } from "./routing/RoutingRules.ts"
import { SpendLimits } from "./routing/SpendLimits.ts"
import { hashKey } from "./secrets/hashKey.ts"
import { mask } from "./secrets/mask.ts"
import { Sealing } from "./secrets/Sealing.ts"
import * as Settings from "./Settings.ts"
import { Upstream } from "./upstreams/Upstream.ts"
import { AccountId, defaultAccountId } from "./values/AccountId.ts"
import { checkFields, type FieldNames } from "./values/checkFields.ts"
import { callbackUrl } from "./values/callbackUrl.ts"
import * as NanoUsd from "./values/NanoUsd.ts"
import { UserId } from "./values/UserId.ts"
import type { OptionFailed } from "./values/OptionFailed.ts"
import { schemaProblem } from "./values/schemaProblem.ts"
import { defaultWorkspaceId, WorkspaceId } from "./values/WorkspaceId.ts"
import { Vaults } from "./vaults/Vaults.ts"
import { Blobs, BlobStore } from "./videos/BlobStore.ts"
import { Videos } from "./videos/Videos.ts"
import { layerVideoWorker } from "./videos/VideoWorker.ts"
import { Deliveries } from "./webhooks/Deliveries.ts"
import { layerDeliveryWorker } from "./webhooks/DeliveryWorker.ts"
import { layerWishes } from "./workspaces/layerWishes.ts"
import { DefaultsOfWorkspaces, WorkspaceDefaults } from "./workspaces/WorkspaceDefaults.ts"
import { Webhooks } from "./workspaces/Webhooks.ts"
import { Workspaces } from "./workspaces/Workspaces.ts"

/** Every service of a box, as `box.context` and `layer` provide them. */
export type Services =
  | Accounts
  | Admission
  | ApiKeys
  | App
  | Audit
  | Broadcast
  | Callers
  | Catalog
  | Chats
  | Credentials
  | Decisions
  | Deliveries
  | Drain
  | DurableJobs
  | Generations
  | Guardrails
  | Health
  | InternChats
  | InternHosting
  | InternProgramme
  | Interns
  | IoLog
  | Ledger
  | Listing
  | Metrics
  | Routing
  | Stores
  | Vaults
  | Videos
  | Webhooks
  | Workspaces

/**
 * Needs a way to call upstreams, a way to call receivers of events, and a way to hash keys; `@signalbox/node` has them. Dies with a
 * `RangeError` that says what to mend when the options contradict themselves; fails when an effect or a layer among
 * them does.
 */
export const layer = (options: Options): Layer.Layer<Services, OptionFailed, Platform> =>
  Layer.suspend(() => {
    checkOptions(options)
    return Layer.mergeAll(App.layer, issue(options)).pipe(
      Layer.provideMerge(admission(options)),
      Layer.provideMerge([layerDeliveryWorker, layerInternWorker, layerVideoWorker]),
      Layer.provideMerge(wired(options))
    )
  })

/** What the services are built of, themselves too. */
export type Parts =
  | Exclude<Services, Admission | App>
  | KnownKeys
  | ModelUsage
  | Sealing
  | SpendLimits
  | Wishes

/**
 * Every service without its workers and without HTTP: nothing happens unasked. `accounts`, `keys`, `credits` and
 * `credentials` of the options are not written. What one service needs can be provided from here, as tests do.
 */
export const layerParts = (options: Options): Layer.Layer<Parts, OptionFailed, Platform> =>
  Layer.suspend(() => {
    checkOptions(options)
    return wired(options)
  })

const wired = (options: Options): Layer.Layer<Parts, OptionFailed, Platform> => {
  const telemetry: Layer.Layer<never, never, HttpClient.HttpClient> =
    options.telemetry === undefined
      ? Layer.empty
      : Layer.provide(options.telemetry, layerReportExports)

  const observers = Generations.layer({ logs: options.log === true }).pipe(
    Layer.provideMerge([
      Broadcast.layer(options.broadcast ?? []),
      IoLog.layer(options.ioLog),
      Metrics.layer
    ]),
    Layer.provideMerge(layerWishes)
  )

  const foundation = Layer.mergeAll(
    catalogOf(options),
    Layer.mergeAll(
      Accounts.layer,
      DurableJobs.layer,
      Layer.mergeAll(Credentials.layer, Vaults.layer, Webhooks.layer).pipe(
        Layer.provideMerge(Sealing.layer(options.sealing))
      ),
      Guardrails.layer,
      Ledger.layer,
      observers
    ).pipe(
      Layer.provideMerge([ApiKeys.layer, Callers.layer]),
      Layer.provideMerge([KnownKeys.layer, Workspaces.layer]),
      Layer.provideMerge(Audit.layer),
      Layer.provideMerge(layerStores(options.stores ?? memoryStores))
    ),
    Health.layer,
    ModelUsage.layer,
    Drain.layer
  )

  return Layer.mergeAll(InternChats.layer, Decisions.layer, Listing.layer, Videos.layer).pipe(
    Layer.provideMerge(Deliveries.layer),
    Layer.provideMerge(Interns.layer),
    Layer.provideMerge(Layer.effect(InternHosting, hostOf(options.interns))),
    Layer.provideMerge(Chats.layer),
    Layer.provideMerge(Routing.layer.pipe(Layer.provideMerge(SpendLimits.layer))),
    Layer.provideMerge(foundation),
    Layer.provideMerge(
      Layer.succeed(RoutingRules, {
        strategy: options.strategy ?? priceWeighted,
        failureRules: withOverrides(options.failureRules ?? {})
      })
    ),
    Layer.provideMerge(Layer.effect(Blobs, blobsOf(options))),
    Layer.provideMerge(Layer.effect(DefaultsOfWorkspaces, defaultsOf(options))),
    Layer.provideMerge(Layer.succeed(InternProgramme, options.interns?.programme ?? everybody)),
    Layer.provideMerge(options.log === true ? requestLog : Layer.empty),
    Layer.provideMerge(telemetry),
    Layer.provideMerge(Settings.layer(options.settings ?? {}))
  )
}

const requestLog = Layer.merge(Layer.succeed(LogsRequests, true), layerLineLogger)

const catalogOf = ({ lastGood, models, overlay, upstreams }: Options) =>
  Layer.unwrap(
    Effect.map(
      Effect.forEach(upstreams, (upstream, index) =>
        buildPluggable(`upstreams.${index}`, Upstream, upstream)
      ),
      (built) =>
        Catalog.layer({
          upstreams: built,
          models,
          ...(overlay === undefined ? undefined : { overlay }),
          ...(lastGood === undefined ? undefined : { lastGood })
        })
    )
  )

/** Whoever configures a broadcast wants it. */
const defaultsOf = ({ broadcast = [], workspaceDefaults }: Options) =>
  Effect.map(Settings.Settings, (settings) => {
    const stated = checked("workspaceDefaults", WorkspaceDefaults, workspaceDefaults ?? {})
    const url =
      stated.callbackUrl === undefined
        ? undefined
        : Result.getOrThrowWith(
            callbackUrl(stated.callbackUrl, settings),
            (problem) => new RangeError(`workspaceDefaults.callbackUrl ${problem}`)
          )
    return {
      isObservabilityBroadcastEnabled: broadcast.length > 0,
      ...stated,
      ...(url === undefined ? undefined : { callbackUrl: url })
    }
  })

const blobsOf = ({ videoFiles }: Options) =>
  videoFiles === undefined ? Effect.undefined : buildPluggable("videoFiles", BlobStore, videoFiles)

const rateLimitsOf = ({ rateLimits }: Options) =>
  rateLimits === undefined
    ? RateLimitStore.layerMemory
    : Layer.provide(
        boundedRateLimits,
        Layer.effect(RateLimitStore, buildPluggable("rateLimits", RateLimitStore, rateLimits))
      )

const authenticatorOf = ({ authenticate }: Options) =>
  authenticate === undefined
    ? Authenticator.layer
    : Layer.unwrap(
        Effect.map(
          buildPluggable("authenticate", Authenticate, authenticate),
          Authenticator.layerHost
        )
      )

const admission = (options: Options) =>
  Admission.layer.pipe(
    Layer.provide([
      authenticatorOf(options),
      RequestLimiter.layer.pipe(Layer.provide(rateLimitsOf(options)))
    ])
  )

const creditsOf = (account: string, usd: string): NanoUsd.NanoUsd => {
  try {
    return NanoUsd.parseUsd(usd)
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause
    throw new RangeError(`credits.${account}: ${cause.message}`, { cause })
  }
}

const boundedRateLimits = Layer.unwrap(
  Effect.map(
    Effect.promise(() => import("./auth/boundedRateLimits.ts")),
    (module) => module.boundedRateLimits
  )
)

const everybody = (): boolean => true

const internFields: FieldNames<InternOptions> = { domain: true, host: true, programme: true }

const hostOf = Effect.fnUntraced(function* (
  options: InternOptions = {}
): Effect.fn.Return<InternHost, OptionFailed, Platform | Scope.Scope> {
  checkFields(options, "field of interns", internFields, "interns: ")
  const { domain, host } = options
  if (host !== undefined && domain !== undefined) {
    throw new RangeError(
      "interns.domain is for the host that is built in; leave out it or interns.host"
    )
  }
  if (domain !== undefined && typeof domain !== "string") {
    throw new RangeError("interns.domain must be a string such as interns.example.com")
  }
  if (host === undefined) return inProcessHost(domain === undefined ? {} : { domain })
  const built = yield* buildPluggable("interns.host", InternHosting, host)
  if (!isObject(built)) {
    throw new RangeError("interns.host must be a host of interns such as inProcessHost({ domain })")
  }
  return built
})

/** The accounts, keys, credits and credentials a host starts with. */
const issue = ({ accounts, credentials, credits, keys }: Options) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      for (const [index, account] of (accounts ?? []).entries()) {
        const { id } = checked(`accounts.${index}`, HostAccount, account)
        yield* (yield* AccountStore).configure({ ...account, id })
      }
      const ledger = yield* LedgerStore
      const issued = new Set<string>()
      for (const [index, config] of (keys ?? []).entries()) {
        const key = yield* keyOf(config, `keys.${index}`)
        if (issued.has(key.hash)) throw new RangeError(`the key ${key.label} is given twice`)
        issued.add(key.hash)
        yield* storeKey(key, `keys.${index}`)
      }
      for (const [account, usd] of Object.entries(credits ?? {})) {
        yield* ledger.endow(
          checked("an account of credits", AccountId, account),
          creditsOf(account, usd)
        )
      }
      const adopted = new Set<string>()
      for (const [index, given] of (credentials ?? []).entries()) {
        if (!isObject(given))
          throw new RangeError("a credential is no object; give { provider, key }")
        checkFields(given, "field of a credential", credentialFields, `credentials.${index}: `)
        const { account = defaultAccountId, ...config } = given
        const { name = "", provider } = config
        const place = JSON.stringify([account, provider, name])
        if (adopted.has(place)) {
          throw new RangeError(
            `two credentials for ${provider} are called "${name}"; name them apart`
          )
        }
        adopted.add(place)
        yield* (yield* Credentials).adopt(AccountId.make(account), config)
      }
    })
  )

/** As the wire checks it; throws a `RangeError` that names the option, as that is spelt. */
const checked = <S extends Schema.ConstraintDecoder<unknown>>(
  option: string,
  schema: S,
  value: unknown
): S["Type"] =>
  Result.getOrThrowWith(
    Schema.decodeUnknownResult(schema, { onExcessProperty: "error" })(value),
    (error) => {
      const { path, problem } = schemaProblem(error)
      const place = path.join(".").replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
      return new RangeError([option, place, problem].filter((part) => part !== "").join(": "))
    }
  )

const kinds: ReadonlySet<string> = new Set(["member", "management", "organization"])

const keyFields: FieldNames<KeyConfig> = {
  key: true,
  kind: true,
  user: true,
  name: true,
  account: true,
  workspace: true,
  limit: true,
  limitReset: true,
  includeByokInLimit: true,
  expiresAt: true,
  rateLimit: true
}

const credentialFields: FieldNames<NonNullable<Options["credentials"]>[number]> = {
  account: true,
  provider: true,
  key: true,
  name: true,
  workspace_id: true,
  allowed_api_key_hashes: true,
  allowed_models: true,
  allowed_user_ids: true,
  declared_zdr: true,
  disabled: true,
  is_byok_only: true,
  is_fallback: true,
  is_required: true
}

/** `place` is where the options have it. */
const keyOf = (config: KeyConfig, place: string) => {
  if (!isObject(config)) {
    throw new RangeError(`${place}: a key is no object; give { key, kind: "member", user }`)
  }
  checkFields(config, "field of a key", keyFields, `${place}: `)
  const {
    account = defaultAccountId,
    expiresAt: expires_at = null,
    includeByokInLimit: include_byok_in_limit = false,
    key,
    kind,
    limit = null,
    limitReset: limit_reset = null,
    name = kind,
    rateLimit = null,
    user,
    workspace
  } = config
  if (!kinds.has(kind)) {
    throw new RangeError(
      `${place}: a key is of kind "${kind}"; use member, management or organization`
    )
  }
  if (key === undefined || secretOf(key) === "") {
    throw new RangeError(`${place}: a ${kind} key is empty; is the variable that holds it set?`)
  }
  const secret = Redacted.make(secretOf(key))
  const label = mask(Redacted.value(secret))
  const { rate_limit, ...stated } = checked(`${place}: the key ${label}`, ApiKey.HostKey, {
    name,
    limit,
    limit_reset,
    include_byok_in_limit,
    expires_at,
    rate_limit: rateLimit
  })
  if (kind === "member" && user === undefined) {
    throw new RangeError(
      `${place}: the key ${label}: user is missing; a member key acts for one, and kind: "organization" for none`
    )
  }
  const owner = checked(`${place}: the key ${label}`, KeyOwner, { account, user, workspace })
  return Effect.gen(function* () {
    const workspaces = yield* Workspaces
    const named = yield* workspaces.idOf({ account: owner.account }, owner.workspace)
    return ApiKey.make(
      {
        kind,
        account: owner.account,
        workspace: named ?? owner.workspace ?? defaultWorkspaceId,
        ...(owner.user === undefined ? undefined : { user: owner.user })
      },
      { secret_hash: yield* hashKey(secret), label },
      DateTime.formatIso(yield* DateTime.now),
      { ...stated, host_rate_limit: rate_limit }
    )
  })
}

const KeyOwner = Schema.Struct({
  account: AccountId,
  user: Schema.optional(UserId),
  workspace: Schema.optional(WorkspaceId)
})

/** Only a key that the store takes needs its workspace: one that was deleted, with it or before, stays deleted. */
const storeKey = Effect.fnUntraced(function* (key: ApiKey.ApiKey, place: string) {
  const store = yield* ApiKeyStore
  const { atomically } = yield* Atomically
  yield* atomically(
    Effect.gen(function* () {
      yield* store.ensure(key)
      const kept = yield* store.find(key.account, key.hash)
      if (kept === undefined) return
      const workspace = yield* (yield* Workspaces).idOf(kept, kept.workspace)
      if (workspace !== undefined) return
      throw new RangeError(
        `${place}: the key ${key.label}: the account "${key.account}" has no workspace "${kept.workspace}"; give the id or the slug of one that GET /workspaces tells`
      )
    })
  )
})

const secretOf = (key: string | Redacted.Redacted): string => {
  if (typeof key === "string") return key
  if (!Redacted.isRedacted(key)) throw new RangeError("a key must be a string")
  return Redacted.value(key)
}
