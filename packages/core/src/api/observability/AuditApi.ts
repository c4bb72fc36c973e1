/** Operations on the audit log. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import type { AuditEntry } from "../../engine/observability/audit/AuditLog.ts"
import {
  Authentication,
  BadRequest,
  Forbidden,
  InternalServerError,
  TooManyRequests,
  Unauthorized
} from "../contract/ErrorEnvelope.ts"
import { cursorPageEnvelope } from "../contract/envelopes.ts"
import { RequiredCaller } from "../contract/operationAnnotations.ts"
import { cursorQuery } from "../contract/pageQueries.ts"

/** One change. */
export const AuditEntryResponse = Schema.Struct({
  id: Schema.String,
  /** ISO 8601. */
  created_at: Schema.String,
  /** Key and user that made the change; both null for the application itself. */
  actor: Schema.Struct({
    key_hash: Schema.NullOr(Schema.String),
    user_id: Schema.NullOr(Schema.String)
  }),
  /** Such as `workspace.update`. */
  action: Schema.String,
  /** Id of the changed resource. */
  target: Schema.String,
  /** State before the change; null for a creation. */
  before: Schema.NullOr(Schema.Unknown),
  /** State after the change; null for a deletion. */
  after: Schema.NullOr(Schema.Unknown)
})

export const toAuditEntryResponse = (entry: AuditEntry): typeof AuditEntryResponse.Type => ({
  id: entry.id,
  created_at: new Date(entry.at).toISOString(),
  actor: { key_hash: entry.actor.keyHash ?? null, user_id: entry.actor.user ?? null },
  action: entry.action,
  target: entry.target,
  before: entry.before ?? null,
  after: entry.after ?? null
})

export class AuditApi extends HttpApiGroup.make("audit")
  .add(
    HttpApiEndpoint.get("list", "/api/v1/signalbox/audit", {
      query: cursorQuery,
      success: cursorPageEnvelope(AuditEntryResponse),
      error: [Unauthorized, Forbidden, TooManyRequests, InternalServerError, BadRequest]
    }).annotate(OpenApi.Summary, "List audit log entries of the account, newest first.")
  )
  .middleware(Authentication)
  .annotate(RequiredCaller, "management")
  .annotate(OpenApi.Title, "Audit log") {}
