/** Every service of a box, wired from its options: what an Effect host provides to its program. */
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { Transaction } from "./Transaction.ts"
import { Accounts } from "./accounts/Accounts.ts"
import { HostAccount } from "./accounts/AccountSettings.ts"
import { AccountStore } from "./accounts/AccountStore.ts"
import * as ApiKey from "./auth/ApiKey.ts"
import { ApiKeys } from "./auth/ApiKeys.ts"
import { ApiKeyStore } from "./auth/ApiKeyStore.ts"
import { Authenticate, Authenticator } from "./auth/Authenticator.ts"
import { Callers } from "./auth/Callers.ts"
import { ApiKeyCache } from "./auth/ApiKeyCache.ts"
import { RateLimitStore } from "./auth/RateLimitStore.ts"
import { RequestLimiter } from "./auth/RequestLimiter.ts"
import { Credentials } from "./byok/Credentials.ts"
import { Catalog } from "./catalog/Catalog.ts"
import { Chats } from "./chat/Chats.ts"
import type { Decisions } from "./decisions/Decisions.ts"
import { Guardrails } from "./guardrails/Guardrails.ts"
import { Health } from "./health/Health.ts"
import { ModelUsage } from "./health/ModelUsage.ts"
import { Admission } from "./http/server/Admission.ts"
import { App } from "./http/server/App.ts"
import { Drain } from "./Drain.ts"
import { Operations } from "./http/inProcess/Operations.ts"
import { OperationTable } from "./http/server/OperationTable.ts"
import { makeInProcessHost } from "./interns/host/InProcessHost.ts"
import { type InternHost, InternHostService } from "./interns/host/InternHost.ts"
import { InternEligibility } from "./interns/InternEligibility.ts"
import type { InternChats } from "./interns/chat/InternChats.ts"
import { Interns } from "./interns/Interns.ts"
import { layerInternWorker } from "./interns/tasks/InternWorker.ts"
import { DurableJobs } from "./jobs/DurableJobs.ts"
import { Ledger } from "./ledger/Ledger.ts"
import { LedgerStore } from "./ledger/LedgerStore.ts"
import type { Listing } from "./listing/Listing.ts"
import { domainServices, memoryStores, type Stores } from "./domains.ts"
import { Audit } from "./observability/Audit.ts"
import { Broadcast } from "./observability/Broadcast.ts"
import { Generations } from "./observability/Generations.ts"
import { IoLog } from "./observability/IoLog.ts"
import { layerLineLogger } from "./observability/lineLogger.ts"
import { Metrics } from "./observability/Metrics.ts"
import { layerExportReporter } from "./observability/exportReporter.ts"
import { RequestLogEnabled } from "./observability/RequestFacts.ts"
import type { ObservabilityPreferences } from "./observability/ObservabilityPreferences.ts"
import { checkOptions } from "./checkOptions.ts"
import type { InternOptions, KeyConfig, Options } from "./Options.ts"
import { buildPluggable, type Platform } from "./Pluggable.ts"
import { layerStores } from "./storePorts.ts"
import { isObject } from "./values/json/isObject.ts"
import { applyFailureOverrides } from "./routing/attempt/failureRules.ts"
import { priceWeighted } from "./routing/plan/strategies/priceWeighted.ts"
import { Routing } from "./routing/Routing.ts"
import { RoutingRules } from "./routing/RoutingRules.ts"
import { SpendLimits } from "./routing/restrictions/SpendLimits.ts"
import { hashKey } from "./secrets/hashKey.ts"
import { maskSecret } from "./secrets/maskSecret.ts"
import { Sealer } from "./secrets/Sealer.ts"
import * as Settings from "./Settings.ts"
import { Upstream } from "./upstreams/Upstream.ts"
import { AccountId, defaultAccountId } from "./values/ids/AccountId.ts"
import { checkFieldNames, type FieldNames } from "./values/validation/checkFieldNames.ts"
import { parseCallbackUrl } from "./values/network/parseCallbackUrl.ts"
import * as NanoUsd from "./values/usage/NanoUsd.ts"
import { UserId } from "./values/ids/UserId.ts"
import type { OptionFailed } from "./values/errors/OptionFailed.ts"
import { toInvalidRequest } from "./values/errors/toInvalidRequest.ts"
import { defaultWorkspaceId, WorkspaceId } from "./values/ids/WorkspaceId.ts"
import { Vaults } from "./vaults/Vaults.ts"
import { OptionalBlobStore, BlobStore } from "./videos/content/BlobStore.ts"
import type { Videos } from "./videos/Videos.ts"
import { layerVideoWorker } from "./videos/VideoWorker.ts"
import { Deliveries } from "./webhooks/Deliveries.ts"
import { layerDeliveryWorker } from "./webhooks/DeliveryWorker.ts"
import { layerObservabilityPreferences } from "./workspaces/layerObservabilityPreferences.ts"
import { CurrentWorkspaceDefaults, WorkspaceDefaults } from "./workspaces/WorkspaceDefaults.ts"
import { Webhooks } from "./workspaces/Webhooks.ts"
import { Workspaces } from "./workspaces/Workspaces.ts"
import { memoryRateLimitStore } from "./memory/memoryRateLimitStore.ts"

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
  | InternHostService
  | InternEligibility
  | Interns
  | IoLog
  | Ledger
  | Listing
  | Metrics
  | Operations
  | OperationTable
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
    return Layer.mergeAll(App.layer, Operations.layer, layerHostRecords(options)).pipe(
      Layer.provideMerge(OperationTable.layer),
      Layer.provideMerge(layerAdmission(options)),
      Layer.provideMerge([layerDeliveryWorker, layerInternWorker, layerVideoWorker]),
      Layer.provideMerge(makeParts(options))
    )
  })

/** What the services are built of, themselves too. */
export type Parts =
  | Exclude<Services, Admission | App | Operations | OperationTable>
  | ApiKeyCache
  | ModelUsage
  | Sealer
  | SpendLimits
  | ObservabilityPreferences

/**
 * Every service without its workers and without HTTP: nothing happens unasked. `accounts`, `keys`, `credits` and
 * `credentials` of the options are not written. What one service needs can be provided from here, as tests do.
 */
export const layerParts = (options: Options): Layer.Layer<Parts, OptionFailed, Platform> =>
  Layer.suspend(() => {
    checkOptions(options)
    return makeParts(options)
  })

const makeParts = (options: Options): Layer.Layer<Parts, OptionFailed, Platform> => {
  const telemetry: Layer.Layer<never, never, HttpClient.HttpClient> =
    options.telemetry === undefined
      ? Layer.empty
      : Layer.provide(options.telemetry, layerExportReporter)

  const observers = Generations.layer({ logs: options.log === true }).pipe(
    Layer.provideMerge([
      Broadcast.layer(options.broadcast ?? []),
      IoLog.layer(options.ioLog),
      Metrics.layer
    ]),
    Layer.provideMerge(layerObservabilityPreferences)
  )

  const foundation = Layer.mergeAll(
    layerCatalog(options),
    Layer.mergeAll(
      Accounts.layer,
      DurableJobs.layer,
      Layer.mergeAll(Credentials.layer, Vaults.layer, Webhooks.layer).pipe(
        Layer.provideMerge(Sealer.layer(options.sealing))
      ),
      Guardrails.layer,
      Ledger.layer,
      observers
    ).pipe(
      Layer.provideMerge([ApiKeys.layer, Callers.layer]),
      Layer.provideMerge([ApiKeyCache.layer, Workspaces.layer]),
      Layer.provideMerge(Audit.layer),
      Layer.provideMerge(layerStores(options.stores ?? memoryStores))
    ),
    Health.layer,
    ModelUsage.layer,
    Drain.layer
  )

  return domainServices.pipe(
    Layer.provideMerge(Deliveries.layer),
    Layer.provideMerge(Interns.layer),
    Layer.provideMerge(Layer.effect(InternHostService, resolveInternHost(options.interns))),
    Layer.provideMerge(Chats.layer),
    Layer.provideMerge(Routing.layer.pipe(Layer.provideMerge(SpendLimits.layer))),
    Layer.provideMerge(foundation),
    Layer.provideMerge(
      Layer.succeed(RoutingRules, {
        strategy: options.strategy ?? priceWeighted,
        failureRules: applyFailureOverrides(options.failureRules ?? {})
      })
    ),
    Layer.provideMerge(Layer.effect(OptionalBlobStore, resolveBlobStore(options))),
    Layer.provideMerge(Layer.effect(CurrentWorkspaceDefaults, resolveWorkspaceDefaults(options))),
    Layer.provideMerge(
      Layer.succeed(InternEligibility, options.interns?.eligibility ?? allowEveryone)
    ),
    Layer.provideMerge(options.log === true ? layerRequestLog : Layer.empty),
    Layer.provideMerge(telemetry),
    Layer.provideMerge(Settings.layer(options.settings ?? {}))
  )
}

const layerRequestLog = Layer.merge(Layer.succeed(RequestLogEnabled, true), layerLineLogger)

const layerCatalog = ({ lastGood, models, overlay, upstreams }: Options) =>
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
const resolveWorkspaceDefaults = ({ broadcast = [], workspaceDefaults }: Options) =>
  Effect.map(Settings.Settings, (settings) => {
    const decoded = decodeOption("workspaceDefaults", WorkspaceDefaults, workspaceDefaults ?? {})
    const url =
      decoded.callbackUrl === undefined
        ? undefined
        : Result.getOrThrowWith(
            parseCallbackUrl(decoded.callbackUrl, settings),
            (problem) => new RangeError(`workspaceDefaults.callbackUrl ${problem}`)
          )
    return {
      isObservabilityBroadcastEnabled: broadcast.length > 0,
      ...decoded,
      ...(url === undefined ? undefined : { callbackUrl: url })
    }
  })

const resolveBlobStore = ({ videoFiles }: Options) =>
  videoFiles === undefined ? Effect.undefined : buildPluggable("videoFiles", BlobStore, videoFiles)

const layerRateLimits = ({ rateLimits }: Options) =>
  rateLimits === undefined
    ? memoryRateLimitStore
    : Layer.provide(
        layerBoundedRateLimits,
        Layer.effect(RateLimitStore, buildPluggable("rateLimits", RateLimitStore, rateLimits))
      )

const layerAuthenticator = ({ authenticate }: Options) =>
  authenticate === undefined
    ? Authenticator.layer
    : Layer.unwrap(
        Effect.map(
          buildPluggable("authenticate", Authenticate, authenticate),
          Authenticator.layerHost
        )
      )

const layerAdmission = (options: Options) =>
  Admission.layer.pipe(
    Layer.provide([
      layerAuthenticator(options),
      RequestLimiter.layer.pipe(Layer.provide(layerRateLimits(options)))
    ])
  )

const parseCredits = (account: string, amount: string): NanoUsd.NanoUsd => {
  try {
    return NanoUsd.parseUsd(amount)
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause
    throw new RangeError(`credits.${account}: ${cause.message}`, { cause })
  }
}

const layerBoundedRateLimits = Layer.unwrap(
  Effect.map(
    Effect.promise(() => import("./auth/boundedRateLimitStore.ts")),
    (module) => module.layerBoundedRateLimitStore
  )
)

const allowEveryone = (): boolean => true

const internFields: FieldNames<InternOptions> = { domain: true, host: true, eligibility: true }

const resolveInternHost = Effect.fnUntraced(function* (
  options: InternOptions = {}
): Effect.fn.Return<InternHost, OptionFailed, Platform | Scope.Scope> {
  checkFieldNames(options, "field of interns", internFields, "interns: ")
  const { domain, host } = options
  if (host !== undefined && domain !== undefined) {
    throw new RangeError(
      "interns.domain is for the host that is built in; leave out it or interns.host"
    )
  }
  if (domain !== undefined && typeof domain !== "string") {
    throw new RangeError("interns.domain must be a string such as interns.example.com")
  }
  if (host === undefined) return makeInProcessHost(domain === undefined ? {} : { domain })
  const built = yield* buildPluggable("interns.host", InternHostService, host)
  if (!isObject(built)) {
    throw new RangeError("interns.host must be a host of interns such as inProcessHost({ domain })")
  }
  return built
})

/** The accounts, keys, credits and credentials a host starts with. */
const layerHostRecords = ({ accounts, credentials, credits, keys }: Options) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      for (const [index, account] of (accounts ?? []).entries()) {
        const { id } = decodeOption(`accounts.${index}`, HostAccount, account)
        yield* (yield* AccountStore).configure({ ...account, id })
      }
      const ledger = yield* LedgerStore
      const issued = new Set<string>()
      for (const [index, config] of (keys ?? []).entries()) {
        const key = yield* toApiKey(config, `keys.${index}`)
        if (issued.has(key.hash)) throw new RangeError(`the key ${key.label} is given twice`)
        issued.add(key.hash)
        yield* storeKey(key, `keys.${index}`)
      }
      for (const [account, usd] of Object.entries(credits ?? {})) {
        yield* ledger.setInitialCredits(
          decodeOption("an account of credits", AccountId, account),
          parseCredits(account, usd)
        )
      }
      const adopted = new Set<string>()
      for (const [index, given] of (credentials ?? []).entries()) {
        if (!isObject(given))
          throw new RangeError("a credential is no object; give { provider, key }")
        checkFieldNames(given, "field of a credential", credentialFields, `credentials.${index}: `)
        const { account = defaultAccountId, ...config } = given
        const { name = "", provider } = config
        const identity = JSON.stringify([account, provider, name])
        if (adopted.has(identity)) {
          throw new RangeError(
            `two credentials for ${provider} are called "${name}"; name them apart`
          )
        }
        adopted.add(identity)
        yield* (yield* Credentials).adopt(AccountId.make(account), config)
      }
    })
  )

/** As the wire checks it; throws a `RangeError` that names the option, as that is spelt. */
const decodeOption = <S extends Schema.ConstraintDecoder<unknown>>(
  option: string,
  schema: S,
  value: unknown
): S["Type"] =>
  Result.getOrThrowWith(
    Schema.decodeUnknownResult(schema, { onExcessProperty: "error" })(value),
    (error) => {
      const { path, problem } = toInvalidRequest(error)
      const fieldPath = path
        .join(".")
        .replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
      return new RangeError([option, fieldPath, problem].filter((part) => part !== "").join(": "))
    }
  )

const keyKinds: ReadonlySet<string> = new Set(["member", "management", "organization"])

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
const toApiKey = (config: KeyConfig, option: string) => {
  if (!isObject(config)) {
    throw new RangeError(`${option}: a key is no object; give { key, kind: "member", user }`)
  }
  checkFieldNames(config, "field of a key", keyFields, `${option}: `)
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
  if (!keyKinds.has(kind)) {
    throw new RangeError(
      `${option}: a key is of kind "${kind}"; use member, management or organization`
    )
  }
  if (key === undefined || toSecretText(key) === "") {
    throw new RangeError(`${option}: a ${kind} key is empty; is the variable that holds it set?`)
  }
  const secret = Redacted.make(toSecretText(key))
  const label = maskSecret(Redacted.value(secret))
  const { rate_limit, ...stated } = decodeOption(`${option}: the key ${label}`, ApiKey.HostKey, {
    name,
    limit,
    limit_reset,
    include_byok_in_limit,
    expires_at,
    rate_limit: rateLimit
  })
  if (kind === "member" && user === undefined) {
    throw new RangeError(
      `${option}: the key ${label}: user is missing; a member key acts for one, and kind: "organization" for none`
    )
  }
  const owner = decodeOption(`${option}: the key ${label}`, KeyOwner, { account, user, workspace })
  return Effect.gen(function* () {
    const workspaces = yield* Workspaces
    const named = yield* workspaces.findId({ account: owner.account }, owner.workspace)
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
const storeKey = Effect.fnUntraced(function* (key: ApiKey.ApiKey, option: string) {
  const store = yield* ApiKeyStore
  const { withTransaction } = yield* Transaction
  yield* withTransaction(
    Effect.gen(function* () {
      yield* store.ensure(key)
      const stored = yield* store.find(key.account, key.hash)
      if (stored === undefined) return
      const workspace = yield* (yield* Workspaces).findId(stored, stored.workspace)
      if (workspace !== undefined) return
      throw new RangeError(
        `${option}: the key ${key.label}: the account "${key.account}" has no workspace "${stored.workspace}"; give the id or the slug of one that GET /workspaces tells`
      )
    })
  )
})

const toSecretText = (key: string | Redacted.Redacted): string => {
  if (typeof key === "string") return key
  if (!Redacted.isRedacted(key)) throw new RangeError("a key must be a string")
  return Redacted.value(key)
}
