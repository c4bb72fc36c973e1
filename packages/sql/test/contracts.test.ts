import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import {
  AccountStoreContract,
  ApiKeyStoreContract,
  TransactionContract,
  AuditLogContract,
  CredentialStoreContract,
  DeliveryStoreContract,
  GenerationStoreContract,
  GuardrailStoreContract,
  InternStoreContract,
  LedgerStoreContract,
  SpendCountersContract,
  VaultStoreContract,
  VideoStoreContract,
  WebhookStoreContract,
  WorkspaceStoreContract
} from "@signalbox/testing/contracts"
import { inject } from "vitest"
import { postgres, sqlite } from "../src/index.ts"

const file = () => join(mkdtempSync(join(tmpdir(), "signalbox-")), "signalbox.db")
const database = () => ({
  url: inject("postgresUrl"),
  schema: `contracts-${crypto.randomUUID()}`
})

const implementations = {
  "SQLite in memory": sqlite({ path: ":memory:" }),
  "SQLite in a file": sqlite({ path: file() }),
  Postgres: postgres(database())
}

for (const [name, stores] of Object.entries(implementations)) {
  AccountStoreContract(name, stores)
  ApiKeyStoreContract(name, stores)
  TransactionContract(name, stores)
  AuditLogContract(name, stores)
  CredentialStoreContract(name, stores)
  DeliveryStoreContract(name, stores)
  GenerationStoreContract(name, stores)
  GuardrailStoreContract(name, stores)
  InternStoreContract(name, stores)
  SpendCountersContract(name, stores)
  VaultStoreContract(name, stores)
  VideoStoreContract(name, stores)
  WebhookStoreContract(name, stores)
  WorkspaceStoreContract(name, stores)
}

/** The ledger contract records spending and expects limits to count it at once. */
const unbatched = {
  "SQLite in memory": sqlite({ path: ":memory:", batchIntervalMillis: 0 }),
  "SQLite in a file": sqlite({ path: file(), batchIntervalMillis: 0 }),
  Postgres: postgres({ ...database(), batchIntervalMillis: 0 })
}

for (const [name, stores] of Object.entries(unbatched)) {
  GenerationStoreContract(`${name}, without batches`, stores)
  LedgerStoreContract(name, stores)
  SpendCountersContract(`${name}, without batches`, stores)
}
