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
  ResponseCacheStoreContract,
  GenerationStoreContract,
  GuardrailStoreContract,
  IncidentStoreContract,
  InternStoreContract,
  LedgerStoreContract,
  LimitCalendarContract,
  PersonStoreContract,
  PresetStoreContract,
  RollupStoreContract,
  SavedViewStoreContract,
  SpendCountersContract,
  TrafficControlStoreContract,
  VaultStoreContract,
  VideoStoreContract,
  WebhookStoreContract,
  WorkspaceStoreContract
} from "@signalbox/testing/contracts"
import { memoryStores } from "../src/domains.ts"

TransactionContract("in memory", memoryStores)
GuardrailStoreContract("in memory", memoryStores)
SavedViewStoreContract("in memory", memoryStores)
PresetStoreContract("in memory", memoryStores)
LedgerStoreContract("in memory", memoryStores)
LimitCalendarContract("in memory", memoryStores)
IncidentStoreContract("in memory", memoryStores)
InternStoreContract("in memory", memoryStores)
SpendCountersContract("in memory", memoryStores)
ApiKeyStoreContract("in memory", memoryStores)
CalibrationStoreContract("in memory", memoryStores)
AuthCodeStoreContract("in memory", memoryStores)
ContentStoreContract("in memory", memoryStores)
CredentialStoreContract("in memory", memoryStores)
DeliveryStoreContract("in memory", memoryStores)
ExperimentStoreContract("in memory", memoryStores)
FailedRequestStoreContract("in memory", memoryStores)
ResponseCacheStoreContract("in memory", memoryStores)
AccountStoreContract("in memory", memoryStores)
AlertStoreContract("in memory", memoryStores)
FeedbackStoreContract("in memory", memoryStores)
GenerationStoreContract("in memory", memoryStores)
AuditLogContract("in memory", memoryStores)
PersonStoreContract("in memory", memoryStores)
RollupStoreContract("in memory", memoryStores)
TrafficControlStoreContract("in memory", memoryStores)
VaultStoreContract("in memory", memoryStores)
VideoStoreContract("in memory", memoryStores)
WebhookStoreContract("in memory", memoryStores)
WorkspaceStoreContract("in memory", memoryStores)
