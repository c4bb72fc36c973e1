/** Everything a Decision needs, in memory, with scripted upstreams. */
import * as Digest from "effect/crypto/Digest"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import { ParallelSlots } from "../../../src/tenants/auth/rateLimits/ParallelSlots.ts"
import { AccountStore } from "../../../src/tenants/accounts/AccountStore.ts"
import type { Account } from "../../../src/tenants/accounts/Account.ts"
import { ApiKeys } from "../../../src/tenants/auth/keys/ApiKeys.ts"
import { UsageLimiter } from "../../../src/tenants/auth/rateLimits/UsageLimiter.ts"
import { Credentials } from "../../../src/tenants/byok/Credentials.ts"
import type { UsableCredential } from "../../../src/tenants/byok/UsableCredential.ts"
import { Catalog } from "../../../src/engine/catalog/Catalog.ts"
import type { EndpointConfig } from "../../../src/engine/catalog/endpoint/Endpoint.ts"
import type { PriceList } from "../../../src/engine/catalog/endpoint/PriceList.ts"
import type { ModelConfig } from "../../../src/engine/catalog/model/Model.ts"
import { Calibrations } from "../../../src/domains/calibration/Calibrations.ts"
import { Decisions } from "../../../src/domains/decisions/Decisions.ts"
import { Guardrails } from "../../../src/tenants/guardrails/Guardrails.ts"
import { Health } from "../../../src/engine/health/Health.ts"
import { ModelUsage } from "../../../src/engine/health/ModelUsage.ts"
import { Ledger } from "../../../src/engine/ledger/Ledger.ts"
import type { LedgerStore } from "../../../src/engine/ledger/LedgerStore.ts"
import type { SpendCounters } from "../../../src/engine/ledger/SpendCounters.ts"
import { MemoryJournal, memoryTransaction } from "../../../src/memory/MemoryJournal.ts"
import { Audit } from "../../../src/engine/observability/audit/Audit.ts"
import type { Generation } from "../../../src/engine/observability/generations/Generation.ts"
import { Generations } from "../../../src/engine/observability/generations/Generations.ts"
import { GenerationStore } from "../../../src/engine/observability/generations/GenerationStore.ts"
import { Pipeline } from "../../../src/engine/observability/broadcast/Pipeline.ts"
import { RollupStore } from "../../../src/engine/observability/rollups/RollupStore.ts"
import { Metrics } from "../../../src/engine/observability/metrics/Metrics.ts"
import { ObservabilityPreferences } from "../../../src/engine/observability/broadcast/ObservabilityPreferences.ts"
import { ContentFilters } from "../../../src/routing/filters/ContentFilters.ts"
import { Routing } from "../../../src/routing/Routing.ts"
import { SpendLimits } from "../../../src/routing/restrictions/SpendLimits.ts"
import * as Settings from "../../../src/instance/Settings.ts"
import type { DecisionCapability } from "../../../src/engine/upstreams/DecisionCapability.ts"
import type { Upstream } from "../../../src/engine/upstreams/Upstream.ts"
import { Presets } from "../../../src/domains/presets/Presets.ts"
import { Callers } from "../../../src/tenants/auth/Callers.ts"
import { Workspaces } from "../../../src/tenants/workspaces/Workspaces.ts"
import { memoryAccountStore } from "../../../src/memory/memoryAccountStore.ts"
import { memoryApiKeyStore } from "../../../src/memory/memoryApiKeyStore.ts"
import { memoryAuditLog } from "../../../src/memory/memoryAuditLog.ts"
import { memoryGuardrailStore } from "../../../src/memory/memoryGuardrailStore.ts"
import { memoryLedgerStore } from "../../../src/memory/memoryLedgerStore.ts"
import { memorySpendCounters } from "../../../src/memory/memorySpendCounters.ts"
import { memoryWorkspaceStore } from "../../../src/memory/memoryWorkspaceStore.ts"

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
export const toTokenPrice = (n: number): PriceList => ({
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
    Layer.provideMerge([ContentFilters.layer, Routing.layer]),
    Layer.provideMerge(SpendLimits.layer),
    Layer.provideMerge([
      Layer.effectDiscard(
        AccountStore.use((store) =>
          Effect.forEach(accounts ?? [], store.configure, { discard: true })
        )
      ).pipe(Layer.provideMerge(memoryAccountStore), Layer.provide(MemoryJournal.layer)),
      Layer.mock(Calibrations, {}),
      Layer.mock(Presets, {}),
      Layer.mock(ParallelSlots, { countHeld: () => 0 }),
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
        Layer.provide(Audit.layer),
        Layer.provideMerge(ledger ?? memoryLedgerStore),
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
            record:
              record ?? ((generations) => Effect.sync(() => void records.push(...generations)))
          }),
          Layer.mock(RollupStore, {}),
          Pipeline.layer({}),
          Metrics.layer
        ]),
        Layer.provideMerge(Layer.mock(ObservabilityPreferences, {}))
      ),
      ModelUsage.layer,
      Layer.mock(UsageLimiter, { isLimited: () => false }),
      stores,
      Guardrails.layer.pipe(
        Layer.provide(Layer.mock(ApiKeys, { onRemove: () => Effect.void })),
        Layer.provideMerge(Callers.layer),
        Layer.provideMerge(Workspaces.layer),
        Layer.provide(Audit.layer),
        Layer.provide(stores)
      ),
      Layer.provide(memorySpendCounters, MemoryJournal.layer),
      Digest.layerWebCrypto,
      noNetwork
    ]),
    // Records are read without a store.
    Layer.provide(Settings.layer({ recordDelayMillis: 0, ...settings }))
  )
