/** Every service of a box, wired from its options: what an Effect host provides to its program. */
import type * as Digest from "effect/crypto/Digest"
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as RateLimiter from "effect/persistence/RateLimiter"
import * as Redacted from "effect/Redacted"
import { AccountStore } from "./accounts/AccountStore.ts"
import { ApiKeyStore } from "./auth/ApiKeyStore.ts"
import { Authenticator } from "./auth/Authenticator.ts"
import { Unauthenticated } from "./auth/AuthErrors.ts"
import { RequestLimiter } from "./auth/RequestLimiter.ts"
import { Atomically } from "./Atomically.ts"
import { Catalog } from "./catalog/Catalog.ts"
import { Decisions } from "./decisions/Decisions.ts"
import { Health } from "./health/Health.ts"
import { Admission } from "./http/Admission.ts"
import { App } from "./http/App.ts"
import { Drain } from "./http/Drain.ts"
import { Ledger } from "./ledger/Ledger.ts"
import { LedgerStore } from "./ledger/LedgerStore.ts"
import { MemoryJournal } from "./MemoryJournal.ts"
import { GenerationStore } from "./observability/GenerationStore.ts"
import type { KeyConfig, Options } from "./Options.ts"
import { withOverrides } from "./routing/failureRules.ts"
import { priceWeighted } from "./routing/priceWeighted.ts"
import { Routing } from "./routing/Routing.ts"
import { RoutingRules } from "./routing/RoutingRules.ts"
import { hashKey } from "./secrets/hashKey.ts"
import { mask } from "./secrets/mask.ts"
import * as Settings from "./Settings.ts"
import { Upstreams } from "./upstreams/Upstreams.ts"
import { AccountId, defaultAccountId } from "./values/AccountId.ts"
import * as NanoUsd from "./values/NanoUsd.ts"
import { UserId } from "./values/UserId.ts"
import { defaultWorkspaceId, WorkspaceId } from "./values/WorkspaceId.ts"

export type Services =
  | AccountStore
  | Admission
  | ApiKeyStore
  | App
  | Atomically
  | Catalog
  | Decisions
  | Drain
  | GenerationStore
  | Health
  | Ledger
  | Routing

/**
 * Needs a way to call upstreams and a way to hash keys; `@signalbox/node` has both. Dies with a
 * `RangeError` that says what to mend when the options contradict themselves.
 */
export const layer = (
  options: Options
): Layer.Layer<Services, never, HttpClient.HttpClient | Digest.Digest> => {
  const stores = Layer.mergeAll(
    Atomically.layerMemory,
    ApiKeyStore.layerMemory,
    LedgerStore.layerMemory
  ).pipe(Layer.provide(MemoryJournal.layer))

  const foundation = Layer.mergeAll(
    AccountStore.layerMemory(
      (options.accounts ?? []).map((account) => ({ ...account, id: AccountId.make(account.id) }))
    ),
    Catalog.layer(options.models),
    Ledger.layer.pipe(Layer.provideMerge(stores)),
    Health.layer,
    GenerationStore.layerMemory,
    Drain.layer
  ).pipe(Layer.provideMerge(Upstreams.layer(options.upstreams)))

  const admission = Admission.layer.pipe(
    Layer.provide([
      options.authenticate === undefined ? Authenticator.layer : hostUsers(options.authenticate),
      RequestLimiter.layer.pipe(
        Layer.provide(RateLimiter.layer),
        Layer.provide(RateLimiter.layerStoreMemory)
      )
    ])
  )

  return Layer.mergeAll(App.layer, issue(options)).pipe(
    Layer.provideMerge([Decisions.layer, admission]),
    Layer.provideMerge(Routing.layer),
    Layer.provideMerge(foundation),
    Layer.provideMerge(
      Layer.succeed(RoutingRules, {
        strategy: options.strategy ?? priceWeighted,
        failureRules: withOverrides(options.failureRules ?? {})
      })
    ),
    Layer.provideMerge(Settings.layer(options.settings ?? {}))
  )
}

/** The keys and credits a host starts with. */
const issue = ({ credits, keys }: Options) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const store = yield* ApiKeyStore
      const ledger = yield* Ledger
      const issued = new Set<string>()
      for (const config of keys ?? []) {
        const key = yield* keyOf(config)
        if (issued.has(key.hash)) throw new RangeError(`the key ${key.label} is given twice`)
        issued.add(key.hash)
        yield* store.put(key)
      }
      for (const [account, usd] of Object.entries(credits ?? {})) {
        yield* ledger.grant(AccountId.make(account), NanoUsd.parseUsd(usd))
      }
    })
  )

const kinds: ReadonlySet<string> = new Set(["member", "management", "organization"])

const keyOf = ({ account, key, kind, name, user, workspace }: KeyConfig) => {
  if (key === undefined || secretOf(key) === "") {
    throw new RangeError(`a ${kind} key is empty; is the variable that holds it set?`)
  }
  if (!kinds.has(kind)) {
    throw new RangeError(`a key is of kind "${kind}"; use member, management or organization`)
  }
  const secret = Redacted.make(secretOf(key))
  return Effect.map(hashKey(secret), (hash) => ({
    hash,
    kind,
    account: account === undefined ? defaultAccountId : AccountId.make(account),
    workspace: workspace === undefined ? defaultWorkspaceId : WorkspaceId.make(workspace),
    name: name ?? kind,
    label: mask(Redacted.value(secret)),
    ...(user === undefined ? undefined : { user: UserId.make(user) })
  }))
}

const secretOf = (key: KeyConfig["key"]): string =>
  typeof key === "string" ? key : Redacted.value(key)

const hostUsers = (authenticate: NonNullable<Options["authenticate"]>) =>
  Layer.succeed(Authenticator, {
    authenticate: (token) =>
      Effect.flatMap(
        Effect.promise(() => authenticate(Redacted.value(token))),
        (caller) => (caller === undefined ? new Unauthenticated() : Effect.succeed(caller))
      )
  })
