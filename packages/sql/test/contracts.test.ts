import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
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
  VideoStoreContract,
  WebhookStoreContract,
  WorkspaceStoreContract
} from "@signalbox/testing/contracts"
import { inject } from "vitest"
import { postgres, sqlite } from "../src/index.ts"

const implementations = {
  "SQLite in memory": sqlite({ path: ":memory:" }),
  "SQLite in a file": sqlite({
    path: join(mkdtempSync(join(tmpdir(), "signalbox-")), "signalbox.db")
  }),
  Postgres: postgres({
    url: inject("postgresUrl"),
    schema: `contracts-${crypto.randomUUID()}`
  })
}

for (const [name, stores] of Object.entries(implementations)) {
  AccountStoreContract(name, stores)
  ApiKeyStoreContract(name, stores)
  AtomicallyContract(name, stores)
  AuditLogContract(name, stores)
  CredentialStoreContract(name, stores)
  DeliveryStoreContract(name, stores)
  GenerationStoreContract(name, stores)
  GuardrailStoreContract(name, stores)
  LedgerStoreContract(name, stores)
  SpendCountersContract(name, stores)
  VideoStoreContract(name, stores)
  WebhookStoreContract(name, stores)
  WorkspaceStoreContract(name, stores)
}
