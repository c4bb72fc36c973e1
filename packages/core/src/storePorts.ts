/** Every port that keeps something, one by one, and what a host gave for them. */
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { AccountStore } from "./accounts/AccountStore.ts"
import { Transaction } from "./Transaction.ts"
import { ApiKeyStore } from "./auth/ApiKeyStore.ts"
import { CredentialStore } from "./byok/CredentialStore.ts"
import { GuardrailStore } from "./guardrails/GuardrailStore.ts"
import { InternStore } from "./interns/InternStore.ts"
import { JobStore } from "./jobs/JobStore.ts"
import { LedgerStore } from "./ledger/LedgerStore.ts"
import { SpendCounters } from "./ledger/SpendCounters.ts"
import { AuditLog } from "./observability/AuditLog.ts"
import { GenerationStore } from "./observability/GenerationStore.ts"
import {
  buildLayer,
  isEffect,
  isLayer,
  withOptionName,
  type Platform,
  omitMemoMap
} from "./Pluggable.ts"
import type { OptionFailed } from "./values/errors/OptionFailed.ts"
import { VaultStore } from "./vaults/VaultStore.ts"
import { VideoStore } from "./videos/VideoStore.ts"
import { DeliveryStore } from "./webhooks/DeliveryStore.ts"
import { WebhookStore } from "./workspaces/WebhookStore.ts"
import { WorkspaceStore } from "./workspaces/WorkspaceStore.ts"

const storePorts = [
  AccountStore,
  ApiKeyStore,
  Transaction,
  AuditLog,
  CredentialStore,
  DeliveryStore,
  GenerationStore,
  GuardrailStore,
  InternStore,
  JobStore,
  LedgerStore,
  SpendCounters,
  VaultStore,
  VideoStore,
  WebhookStore,
  WorkspaceStore
] as const

/** Every port that keeps something. */
export type Stores = (typeof storePorts)[number]["Identifier"]

/** Stores as a host gives them: a layer, services that are built already, or an effect that makes them. */
export type StoresOption =
  | Layer.Layer<Stores, unknown, Platform>
  | Context.Context<Stores>
  | Effect.Effect<Context.Context<Stores>, unknown, Platform | Scope.Scope>

/** Dies with a `RangeError` that names every port that is missing. */
export const layerStores = (given: StoresOption): Layer.Layer<Stores, OptionFailed, Platform> =>
  Layer.effectContext(
    Effect.tap(buildStores(given), (stores) => {
      const missing = storePorts.filter(({ key }) => !stores.mapUnsafe.has(key))
      return missing.length === 0
        ? Effect.void
        : Effect.die(
            new RangeError(
              `stores lacks ${missing.map(({ name }) => name).join(", ")}: lay your own over others with Layer.provideMerge(yours, memoryStores)`
            )
          )
    })
  )

const buildStores = (
  given: StoresOption
): Effect.Effect<Context.Context<Stores>, OptionFailed, Platform | Scope.Scope> => {
  if (isLayer<Stores>(given)) return buildLayer("stores", given)
  return Effect.map(
    isEffect<Context.Context<Stores>>(given)
      ? withOptionName("stores", given)
      : Effect.succeed(given),
    omitMemoMap
  )
}
