/** Codecs from stored records to JSON and back. Amounts of nano-USD are decimal strings. */
import * as Schema from "effect/Schema"
import { Account } from "../tenants/accounts/Account.ts"
import { AlertRule } from "../domains/alerts/AlertRule.ts"
import { Alert } from "../engine/observability/alerts/Alert.ts"
import { ApiKey } from "../tenants/auth/keys/ApiKey.ts"
import { SealedCredential } from "../tenants/byok/UsableCredential.ts"
import { ExperimentState } from "../domains/experiments/ExperimentState.ts"
import { FittedMaps } from "../domains/calibration/FittedMaps.ts"
import { Assignment } from "../tenants/guardrails/Assignment.ts"
import { Guardrail } from "../tenants/guardrails/Guardrail.ts"
import { Intern } from "../domains/interns/Intern.ts"
import { DeadLetter } from "../engine/jobs/JobStore.ts"
import { Limit } from "../engine/ledger/Limit.ts"
import { Spend } from "../engine/ledger/SpendCounters.ts"
import { AuditEntry } from "../engine/observability/audit/AuditLog.ts"
import { Generation } from "../engine/observability/generations/Generation.ts"
import { generationDocumentNames } from "../engine/observability/generations/generationDocument.ts"
import { SealedSecret } from "../engine/secrets/Sealer.ts"
import { Secret } from "../domains/vaults/Secret.ts"
import type { StoredSecret } from "../domains/vaults/VaultStore.ts"
import { Vault } from "../domains/vaults/Vault.ts"
import { VideoJob } from "../domains/videos/VideoJob.ts"
import { Delivery } from "../tenants/webhooks/Delivery.ts"
import { Budget } from "../tenants/workspaces/Budget.ts"
import { Member, Workspace } from "../tenants/workspaces/Workspace.ts"
import { StoredWebhook, StoredWebhookSecret } from "../tenants/workspaces/WebhookStore.ts"

/** A codec of `Account`. */
export const accountCodec: Schema.Codec<Account, Schema.Json> = Schema.toCodecJson(Account)
/** A codec of `Alert`. */
export const alertCodec: Schema.Codec<Alert, Schema.Json> = Schema.toCodecJson(Alert)
/** A codec of `AlertRule`. */
export const alertRuleCodec: Schema.Codec<AlertRule, Schema.Json> = Schema.toCodecJson(AlertRule)
/** A codec of `ApiKey`. */
export const apiKeyCodec: Schema.Codec<ApiKey, Schema.Json> = Schema.toCodecJson(ApiKey)
/** A codec of `Assignment`. */
export const assignmentCodec: Schema.Codec<Assignment, Schema.Json> = Schema.toCodecJson(Assignment)
/** A codec of `AuditEntry`. */
export const auditEntryCodec: Schema.Codec<AuditEntry, Schema.Json> = Schema.toCodecJson(AuditEntry)
/** A codec of `Budget`. */
export const budgetCodec: Schema.Codec<Budget, Schema.Json> = Schema.toCodecJson(Budget)
/** A codec of `DeadLetter`. */
export const deadLetterCodec: Schema.Codec<DeadLetter, Schema.Json> = Schema.toCodecJson(DeadLetter)
/** A codec of `Delivery`. */
export const deliveryCodec: Schema.Codec<Delivery, Schema.Json> = Schema.toCodecJson(Delivery)
/** A codec of `ExperimentState`. */
export const experimentStateCodec: Schema.Codec<ExperimentState, Schema.Json> =
  Schema.toCodecJson(ExperimentState)
/** A codec of `FittedMaps`. */
export const fittedMapsCodec: Schema.Codec<FittedMaps, Schema.Json> = Schema.toCodecJson(FittedMaps)
/** A codec of `Generation`, in the form of `toGenerationDocument`. */
export const generationCodec: Schema.Codec<Generation, Schema.Json> = Schema.toCodecJson(
  Generation.pipe(Schema.encodeKeys(generationDocumentNames))
)
/** A codec of `Guardrail`. */
export const guardrailCodec: Schema.Codec<Guardrail, Schema.Json> = Schema.toCodecJson(Guardrail)
/** A codec of `Intern`. */
export const internCodec: Schema.Codec<Intern, Schema.Json> = Schema.toCodecJson(Intern)
/** A codec of `Limit`. */
export const limitCodec: Schema.Codec<Limit, Schema.Json> = Schema.toCodecJson(Limit)
/** A codec of `Member`. */
export const memberCodec: Schema.Codec<Member, Schema.Json> = Schema.toCodecJson(Member)
/** A codec of `SealedCredential`. */
export const sealedCredentialCodec: Schema.Codec<SealedCredential, Schema.Json> =
  Schema.toCodecJson(SealedCredential)
/** A codec of `Spend`. */
export const spendCodec: Schema.Codec<Spend, Schema.Json> = Schema.toCodecJson(Spend)
/** A codec of `StoredSecret`. */
export const storedSecretCodec: Schema.Codec<StoredSecret, Schema.Json> = Schema.toCodecJson(
  Schema.Struct({ ...Secret.fields, sealed: SealedSecret })
)
/** A codec of `StoredWebhook`. */
export const storedWebhookCodec: Schema.Codec<StoredWebhook, Schema.Json> =
  Schema.toCodecJson(StoredWebhook)
/** A codec of `StoredWebhookSecret`. */
export const storedWebhookSecretCodec: Schema.Codec<StoredWebhookSecret, Schema.Json> =
  Schema.toCodecJson(StoredWebhookSecret)
/** A codec of `Vault`. */
export const vaultCodec: Schema.Codec<Vault, Schema.Json> = Schema.toCodecJson(Vault)
/** A codec of `VideoJob`. */
export const videoJobCodec: Schema.Codec<VideoJob, Schema.Json> = Schema.toCodecJson(VideoJob)
/** A codec of `Workspace`. */
export const workspaceCodec: Schema.Codec<Workspace, Schema.Json> = Schema.toCodecJson(Workspace)
