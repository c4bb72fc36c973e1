import {
  AccountStoreContract,
  AlertStoreContract,
  ApiKeyStoreContract,
  TransactionContract,
  AuditLogContract,
  AuthCodeStoreContract,
  CalibrationStoreContract,
  ContentStoreContract,
  CredentialStoreContract,
  DeliveryStoreContract,
  ExperimentStoreContract,
  FailedRequestStoreContract,
  FeedbackStoreContract,
  GenerationStoreContract,
  GuardrailStoreContract,
  IncidentStoreContract,
  InternStoreContract,
  LedgerStoreContract,
  LimitCalendarContract,
  PersonStoreContract,
  PresetStoreContract,
  ResponseCacheStoreContract,
  RollupStoreContract,
  SavedViewStoreContract,
  SpendCountersContract,
  TrafficControlStoreContract,
  VaultStoreContract,
  VideoStoreContract,
  WebhookStoreContract,
  WorkspaceStoreContract
} from "@signalbox/testing/contracts"
import { postgres, sqlite } from "../../src/index.ts"
import { pickSample } from "../../../../vitest.scope.ts"
import { newFile, newSchema, postgresLeaseTime } from "../databases.ts"

const implementations = {
  "SQLite in memory": sqlite({ path: ":memory:" }),
  "SQLite in a file": sqlite({ path: newFile() }),
  Postgres: postgres(newSchema())
}
const toOptions = (name: string) =>
  name === "Postgres" ? { leaseTime: postgresLeaseTime } : undefined

for (const [name, stores] of pickSample(Object.entries(implementations), 2)) {
  AccountStoreContract(name, stores)
  AlertStoreContract(name, stores)
  ApiKeyStoreContract(name, stores)
  TransactionContract(name, stores, toOptions(name))
  AuditLogContract(name, stores)
  CalibrationStoreContract(name, stores)
  AuthCodeStoreContract(name, stores)
  ContentStoreContract(name, stores)
  CredentialStoreContract(name, stores)
  DeliveryStoreContract(name, stores)
  ExperimentStoreContract(name, stores)
  FailedRequestStoreContract(name, stores)
  FeedbackStoreContract(name, stores)
  GenerationStoreContract(name, stores)
  GuardrailStoreContract(name, stores)
  IncidentStoreContract(name, stores)
  InternStoreContract(name, stores)
  SavedViewStoreContract(name, stores)
  PresetStoreContract(name, stores)
  ResponseCacheStoreContract(name, stores)
  RollupStoreContract(name, stores)
  SpendCountersContract(name, stores)
  TrafficControlStoreContract(name, stores)
  VaultStoreContract(name, stores)
  VideoStoreContract(name, stores)
  WebhookStoreContract(name, stores)
  WorkspaceStoreContract(name, stores)
}

/** The ledger contract records spending and expects limits to count it at once. */
const unbatched = {
  "SQLite in memory": sqlite({ path: ":memory:", batchIntervalMillis: 0 }),
  "SQLite in a file": sqlite({ path: newFile(), batchIntervalMillis: 0 }),
  Postgres: postgres({ ...newSchema(), batchIntervalMillis: 0 })
}

for (const [name, stores] of pickSample(Object.entries(unbatched), 2)) {
  FailedRequestStoreContract(`${name}, without batches`, stores)
  GenerationStoreContract(`${name}, without batches`, stores)
  LedgerStoreContract(name, stores, toOptions(name))
  LimitCalendarContract(name, stores)
  PersonStoreContract(name, stores)
  RollupStoreContract(`${name}, without batches`, stores)
  SpendCountersContract(`${name}, without batches`, stores)
}
