import {
  AccountStoreContract,
  ApiKeyStoreContract,
  AtomicallyContract,
  AuditLogContract,
  CredentialStoreContract,
  DeliveryStoreContract,
  GenerationStoreContract,
  GuardrailStoreContract,
  LedgerStoreContract,
  SpendCountersContract,
  WebhookStoreContract,
  WorkspaceStoreContract
} from "@signalbox/testing/contracts"
import * as Layer from "effect/Layer"
import { AccountStore } from "../src/accounts/AccountStore.ts"
import { Atomically } from "../src/Atomically.ts"
import { ApiKeyStore } from "../src/auth/ApiKeyStore.ts"
import { GuardrailStore } from "../src/guardrails/GuardrailStore.ts"
import { CredentialStore } from "../src/byok/CredentialStore.ts"
import { LedgerStore } from "../src/ledger/LedgerStore.ts"
import { SpendCounters } from "../src/ledger/SpendCounters.ts"
import { MemoryJournal } from "../src/MemoryJournal.ts"
import { AuditLog } from "../src/observability/AuditLog.ts"
import { GenerationStore } from "../src/observability/GenerationStore.ts"
import { DeliveryStore } from "../src/webhooks/DeliveryStore.ts"
import { WebhookStore } from "../src/workspaces/WebhookStore.ts"
import { WorkspaceStore } from "../src/workspaces/WorkspaceStore.ts"

const stores = Layer.mergeAll(
  Atomically.layerMemory,
  GuardrailStore.layerMemory,
  AuditLog.layerMemory,
  CredentialStore.layerMemory,
  DeliveryStore.layerMemory,
  LedgerStore.layerMemory,
  ApiKeyStore.layerMemory,
  WebhookStore.layerMemory,
  WorkspaceStore.layerMemory
).pipe(Layer.provideMerge(SpendCounters.layerMemory), Layer.provide(MemoryJournal.layer))

AtomicallyContract("in memory", stores)
GuardrailStoreContract("in memory", stores)
LedgerStoreContract("in memory", stores)
SpendCountersContract("in memory", stores)
ApiKeyStoreContract("in memory", stores)
CredentialStoreContract("in memory", stores)
DeliveryStoreContract("in memory", stores)
AccountStoreContract("in memory", (accounts) =>
  Layer.merge(AccountStore.layerMemory(accounts), Atomically.layerMemory).pipe(
    Layer.provide(MemoryJournal.layer)
  )
)
GenerationStoreContract("in memory", GenerationStore.layerMemory)
AuditLogContract("in memory", stores)
WebhookStoreContract("in memory", stores)
WorkspaceStoreContract("in memory", stores)
