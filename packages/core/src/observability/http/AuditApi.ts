/** What was changed by whom, under `{base}/signalbox/audit`. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import type { AuditEntry } from "../audit/AuditLog.ts"
import { Authentication } from "../../http/contract/Authentication.ts"
import { cursorPageEnvelope } from "../../http/contract/envelopes.ts"
import { RequiredCaller } from "../../http/contract/operationAnnotations.ts"
import { cursorQuery } from "../../http/contract/pageQueries.ts"
import {
  BadRequest,
  Forbidden,
  InternalServerError,
  TooManyRequests,
  Unauthorized
} from "../../http/contract/ErrorEnvelope.ts"

const AuditEntryResponse = Schema.Struct({
  id: Schema.String,
  /** ISO 8601. */
  created_at: Schema.String,
  /** The key and the user it was done by; both null for the application itself. */
  actor: Schema.Struct({
    key_hash: Schema.NullOr(Schema.String),
    user_id: Schema.NullOr(Schema.String)
  }),
  /** Such as `workspace.update`. */
  action: Schema.String,
  /** The id of what was changed. */
  target: Schema.String,
  /** As it was; null for what was created. */
  before: Schema.NullOr(Schema.Unknown),
  /** As it is now; null for what was deleted. */
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
    }).annotate(OpenApi.Summary, "What was changed by whom, newest first")
  )
  .middleware(Authentication)
  .annotate(RequiredCaller, "management")
  .annotate(OpenApi.Title, "Audit log") {}
