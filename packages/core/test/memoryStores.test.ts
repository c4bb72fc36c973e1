import {
  AccountStoreContract,
  ApiKeyStoreContract,
  AtomicallyContract,
  GenerationStoreContract,
  LedgerStoreContract
} from "@signalbox/testing/contracts"
import * as Layer from "effect/Layer"
import { AccountStore } from "../src/accounts/AccountStore.ts"
import { Atomically } from "../src/Atomically.ts"
import { ApiKeyStore } from "../src/auth/ApiKeyStore.ts"
import { LedgerStore } from "../src/ledger/LedgerStore.ts"
import { MemoryJournal } from "../src/MemoryJournal.ts"
import { GenerationStore } from "../src/observability/GenerationStore.ts"

const stores = Layer.mergeAll(
  Atomically.layerMemory,
  LedgerStore.layerMemory,
  ApiKeyStore.layerMemory
).pipe(Layer.provide(MemoryJournal.layer))

AtomicallyContract("in memory", stores)
LedgerStoreContract("in memory", stores)
ApiKeyStoreContract("in memory", stores)
AccountStoreContract("in memory", AccountStore.layerMemory)
GenerationStoreContract("in memory", GenerationStore.layerMemory)
