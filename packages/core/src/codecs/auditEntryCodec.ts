/** An entry of the audit log, to JSON and back. */
import * as Schema from "effect/Schema"
import type { AuditEntry } from "../observability/AuditLog.ts"
import { AccountId } from "../values/ids/AccountId.ts"
import { KeyHash } from "../values/ids/KeyHash.ts"
import { UserId } from "../values/ids/UserId.ts"
import { type FieldsOf, UnknownJson } from "./codecFields.ts"

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
    before: Schema.optionalKey(UnknownJson),
    after: Schema.optionalKey(UnknownJson)
  } satisfies FieldsOf<AuditEntry>)
)
