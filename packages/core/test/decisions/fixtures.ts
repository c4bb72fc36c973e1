/** Everything a Decision runs on, in memory, with upstreams that do what a test says. */
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import { AccountStore } from "../../src/accounts/AccountStore.ts"
import type { Account } from "../../src/accounts/Account.ts"
import { Catalog } from "../../src/catalog/Catalog.ts"
import type { EndpointConfig } from "../../src/catalog/Endpoint.ts"
import { Decisions } from "../../src/decisions/Decisions.ts"
import { Health } from "../../src/health/Health.ts"
import { Ledger } from "../../src/ledger/Ledger.ts"
import { LedgerStore } from "../../src/ledger/LedgerStore.ts"
import { MemoryJournal } from "../../src/MemoryJournal.ts"
import type { Generation } from "../../src/observability/Generation.ts"
import { GenerationStore } from "../../src/observability/GenerationStore.ts"
import { Routing } from "../../src/routing/Routing.ts"
import * as Settings from "../../src/Settings.ts"
import type { DecisionCapability } from "../../src/upstreams/DecisionCapability.ts"
import type { Upstream } from "../../src/upstreams/Upstream.ts"
import { Upstreams } from "../../src/upstreams/Upstreams.ts"

export interface World {
  readonly upstreams: ReadonlyArray<Upstream>
  /** The endpoints of the model `a/b`; default: one at each upstream, each dearer than the one before. */
  readonly endpoints?: ReadonlyArray<EndpointConfig>
  readonly accounts?: ReadonlyArray<Account>
  readonly settings?: Partial<Settings.SettingsShape>
  /** Gets every record that is made. */
  readonly records?: Array<Generation>
  /** What keeps records instead. */
  readonly record?: GenerationStore["Service"]["record"]
  readonly catalog?: Layer.Layer<Catalog>
  readonly ledger?: Layer.Layer<LedgerStore>
}

/** `n` nano-USD for each token of prompt and completion. */
export const perToken = (n: number): EndpointConfig["price"] => ({
  prompt: `${n}e-9`,
  completion: `${n}e-9`
})

export const upstream = (
  slug: string,
  decide: DecisionCapability["decide"],
  worstCase: DecisionCapability["worstCase"] = () => ({ inputTokens: 100, outputTokens: 0 })
): Upstream => ({ slug, name: slug.toUpperCase(), decisions: { decide, worstCase } })

export const world = ({
  accounts,
  catalog,
  endpoints,
  ledger,
  record,
  records = [],
  settings,
  upstreams
}: World) =>
  Decisions.layer.pipe(
    Layer.provideMerge(Routing.layer),
    Layer.provideMerge([
      AccountStore.layerMemory(accounts ?? []),
      catalog ??
        Catalog.layer([
          {
            id: "a/b",
            endpoints:
              endpoints ??
              upstreams.map(({ slug }, i) => ({ provider: slug, price: perToken(i + 1) }))
          }
        ]),
      Ledger.layer.pipe(
        Layer.provide(ledger ?? LedgerStore.layerMemory),
        Layer.provide(MemoryJournal.layer)
      ),
      Health.layer,
      Layer.mock(GenerationStore, {
        record: record ?? ((generation) => Effect.sync(() => void records.push(generation)))
      }),
      // Nothing in these tests calls out.
      Layer.succeed(
        HttpClient.HttpClient,
        HttpClient.make(() => Effect.die("no network"))
      )
    ]),
    Layer.provideMerge(Upstreams.layer(upstreams)),
    Layer.provide(Settings.layer(settings ?? {}))
  )
