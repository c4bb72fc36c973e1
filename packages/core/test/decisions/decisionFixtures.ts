/** Everything a Decision needs, in memory, with scripted upstreams. */
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import { AccountStore } from "../../src/accounts/AccountStore.ts"
import type { Account } from "../../src/accounts/Account.ts"
import { ApiKeys } from "../../src/auth/keys/ApiKeys.ts"
import { Credentials } from "../../src/byok/Credentials.ts"
import type { UsableCredential } from "../../src/byok/UsableCredential.ts"
import { Catalog } from "../../src/catalog/Catalog.ts"
import type { EndpointConfig } from "../../src/catalog/endpoint/Endpoint.ts"
import type { ModelConfig } from "../../src/catalog/model/Model.ts"
import { Calibrations } from "../../src/calibration/Calibrations.ts"
import { Decisions } from "../../src/decisions/Decisions.ts"
import { Guardrails } from "../../src/guardrails/Guardrails.ts"
import { Health } from "../../src/health/Health.ts"
import { ModelUsage } from "../../src/health/ModelUsage.ts"
import { Ledger } from "../../src/ledger/Ledger.ts"
import type { LedgerStore } from "../../src/ledger/LedgerStore.ts"
import type { SpendCounters } from "../../src/ledger/SpendCounters.ts"
import { MemoryJournal } from "../../src/MemoryJournal.ts"
import { Audit } from "../../src/observability/audit/Audit.ts"
import type { Generation } from "../../src/observability/generations/Generation.ts"
import { Broadcast } from "../../src/observability/broadcast/Broadcast.ts"
import { Generations } from "../../src/observability/generations/Generations.ts"
import { GenerationStore } from "../../src/observability/generations/GenerationStore.ts"
import { IoLog } from "../../src/observability/broadcast/IoLog.ts"
import { Metrics } from "../../src/observability/metrics/Metrics.ts"
import { ObservabilityPreferences } from "../../src/observability/broadcast/ObservabilityPreferences.ts"
import { Routing } from "../../src/routing/Routing.ts"
import { SpendLimits } from "../../src/routing/restrictions/SpendLimits.ts"
import * as Settings from "../../src/Settings.ts"
import type { DecisionCapability } from "../../src/upstreams/DecisionCapability.ts"
import type { Upstream } from "../../src/upstreams/Upstream.ts"
import { Callers } from "../../src/auth/Callers.ts"
import { Workspaces } from "../../src/workspaces/Workspaces.ts"
import { memoryAccountStore } from "../../src/memory/memoryAccountStore.ts"
import { memoryApiKeyStore } from "../../src/memory/memoryApiKeyStore.ts"
import { memoryAuditLog } from "../../src/memory/memoryAuditLog.ts"
import { memoryGuardrailStore } from "../../src/memory/memoryGuardrailStore.ts"
import { memoryLedgerStore } from "../../src/memory/memoryLedgerStore.ts"
import { memorySpendCounters } from "../../src/memory/memorySpendCounters.ts"
import { memoryTransaction } from "../../src/memory/memoryTransaction.ts"
import { memoryWorkspaceStore } from "../../src/memory/memoryWorkspaceStore.ts"

export interface World {
  readonly upstreams: ReadonlyArray<Upstream>
  /** The endpoints of the model `a/b`; default: one at each upstream, each more expensive than the one before. */
  readonly endpoints?: ReadonlyArray<EndpointConfig>
  /** Other models of the catalog. */
  readonly models?: ReadonlyArray<ModelConfig>
  readonly accounts?: ReadonlyArray<Account>
  readonly settings?: Partial<Settings.SettingsShape>
  /** Receives every record. */
  readonly records?: Array<Generation>
  /** Replaces the store of records. */
  readonly record?: GenerationStore["Service"]["record"]
  readonly ledger?: Layer.Layer<LedgerStore, never, MemoryJournal | SpendCounters>
  /** The worst case of every request; default: nothing. */
  readonly usable?: ReadonlyArray<UsableCredential>
}

/** `n` nano-USD for each token of prompt and completion. */
export const toTokenPrice = (n: number): EndpointConfig["price"] => ({
  prompt: `${n}e-9`,
  completion: `${n}e-9`
})

export const fakeDecisionUpstream = (
  slug: string,
  decide: DecisionCapability["decide"],
  estimateWorstCase: DecisionCapability["estimateWorstCase"] = () => ({
    inputTokens: 100,
    outputTokens: 0
  })
): Upstream => ({ slug, name: slug.toUpperCase(), decisions: { decide, estimateWorstCase } })

/** These tests make no HTTP calls. */
const noNetwork = Layer.succeed(
  HttpClient.HttpClient,
  HttpClient.make(() => Effect.die("no network"))
)

const stores = Layer.mergeAll(
  memoryApiKeyStore,
  memoryTransaction,
  memoryAuditLog,
  memoryGuardrailStore,
  memoryWorkspaceStore
).pipe(Layer.provide(MemoryJournal.layer))

export const makeWorld = ({
  accounts,
  endpoints,
  ledger,
  models = [],
  record,
  records = [],
  settings,
  upstreams,
  usable = []
}: World) =>
  Decisions.layer.pipe(
    Layer.provideMerge(Routing.layer),
    Layer.provideMerge(SpendLimits.layer),
    Layer.provideMerge([
      Layer.effectDiscard(
        AccountStore.use((store) =>
          Effect.forEach(accounts ?? [], store.configure, { discard: true })
        )
      ).pipe(Layer.provideMerge(memoryAccountStore), Layer.provide(MemoryJournal.layer)),
      Layer.mock(Calibrations, {}),
      Layer.mock(Credentials, { listUsable: () => Effect.succeed(usable) }),
      Catalog.layer({
        upstreams,
        models: [
          {
            id: "a/b",
            endpoints:
              endpoints ??
              upstreams.map(({ slug }, i) => ({ provider: slug, price: toTokenPrice(i + 1) }))
          },
          ...models
        ]
      }).pipe(Layer.provide(noNetwork)),
      Ledger.layer.pipe(
        Layer.provide([ledger ?? memoryLedgerStore, Audit.layer]),
        Layer.provide(stores),
        Layer.provide([
          MemoryJournal.layer,
          Layer.provide(memorySpendCounters, MemoryJournal.layer)
        ])
      ),
      Health.layer,
      Generations.layer({ logs: false }).pipe(
        Layer.provide([
          Layer.mock(GenerationStore, {
            record: record ?? ((generation) => Effect.sync(() => void records.push(generation)))
          }),
          Broadcast.layer([]),
          IoLog.layer(undefined),
          Metrics.layer
        ]),
        Layer.provide(Layer.mock(ObservabilityPreferences, {}))
      ),
      ModelUsage.layer,
      stores,
      Guardrails.layer.pipe(
        Layer.provide(Layer.mock(ApiKeys, { onRemove: () => Effect.void })),
        Layer.provideMerge(Callers.layer),
        Layer.provideMerge(Workspaces.layer),
        Layer.provide(Audit.layer),
        Layer.provide(stores)
      ),
      Layer.provide(memorySpendCounters, MemoryJournal.layer),
      noNetwork
    ]),
    Layer.provide(Settings.layer(settings ?? {}))
  )
