/** An entry of the audit log, to JSON and back. */
import * as Schema from "effect/Schema"
import type { AuditEntry } from "../observability/AuditLog.ts"
import { AccountId } from "../values/AccountId.ts"
import { KeyHash } from "../values/KeyHash.ts"
import { UserId } from "../values/UserId.ts"
import { type FieldsOf, Plain } from "./fieldsOf.ts"

/** An entry of the audit log to JSON and back. */
export const auditEntryCodec: Schema.Codec<AuditEntry, Schema.Json> = Schema.toCodecJson(
  Schema.Struct({
    id: Schema.String,
    account: AccountId,
    at: Schema.Finite,
    actor: Schema.Struct({
      keyHash: Schema.optionalKey(KeyHash),
      user: Schema.optionalKey(UserId)
    } satisfies FieldsOf<AuditEntry["actor"]>),
    action: Schema.String,
    target: Schema.String,
    before: Schema.optionalKey(Plain),
    after: Schema.optionalKey(Plain)
  } satisfies FieldsOf<AuditEntry>)
)
