/** Operations on persons: exporting and erasing what is kept of one. */
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { UserId } from "../../values/ids/Ids.ts"
import { isMaxCharacters } from "../../values/validation/text.ts"
import {
  authenticatedErrors,
  Authentication,
  BadRequest,
  Conflict,
  PayloadTooLarge
} from "../contract/ErrorEnvelope.ts"
import { dataEnvelope } from "../contract/envelopes.ts"
import { RequiredCaller } from "../contract/operationAnnotations.ts"
import { AuditEntryResponse } from "./AuditApi.ts"
import { FailedRequestResponse } from "./FailedRequestsApi.ts"
import { FeedbackResponse } from "./FeedbackResponse.ts"
import { GenerationContentData } from "./GenerationContent.ts"
import { GenerationRecordResponse } from "./GenerationRecord.ts"

/** Exactly one of both, which the handler checks. In the body, because addresses are in the logs of proxies. */
const personFields = {
  /** An acting user, as `authenticate`, member keys and callers name one. */
  user: Schema.optionalKey(UserId),
  /** The `user` of requests, or of `external` of keys. */
  external_user: Schema.optionalKey(Schema.NonEmptyString.check(isMaxCharacters(256)))
}

const PersonRequest = Schema.Struct(personFields)

const ErasureResponse = Schema.Struct({
  /** The random name in place of the person's, such as `erased-` and a UUID; null: nothing names the person. */
  pseudonym: Schema.NullOr(Schema.String),
  keys_revoked: Schema.Int,
  memberships_removed: Schema.Int,
  /** Records, figures, counters and other rows that have the pseudonym now, and failed requests that were deleted. */
  rows_changed: Schema.Int
})

const ExportRequest = Schema.Struct({
  ...personFields,
  /** Records of this page, 1 to 1000. Default: 1000. */
  limit: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000 }))),
  /** `next_cursor` of the page before; later pages have records alone. */
  starting_after: Schema.optionalKey(Schema.String.check(isMaxCharacters(256)))
})

const ExportResponse = Schema.Struct({
  /** ISO 8601. */
  exported_at: Schema.String,
  user: Schema.NullOr(Schema.String),
  external_user: Schema.NullOr(Schema.String),
  /** Keys that act for the person, or that the person created; for an external user, those that partners gave them. */
  keys: Schema.Array(
    Schema.Struct({
      hash: Schema.String,
      name: Schema.String,
      label: Schema.String,
      workspace_id: Schema.String,
      disabled: Schema.Boolean,
      created_at: Schema.String
    })
  ),
  memberships: Schema.Array(
    Schema.Struct({
      workspace_id: Schema.String,
      role: Schema.String,
      created_at: Schema.String
    })
  ),
  /** USD in total, on the credits and on own credentials of the account. */
  spend: Schema.Struct({ usage: Schema.Finite, byok_usage: Schema.Finite }),
  /** Changes that the person made, among the latest 10,000 of the account. */
  changes: Schema.Array(AuditEntryResponse),
  failed_requests: Schema.Array(FailedRequestResponse),
  /** What the person gave, and what was given on answers to them, among the latest 10,000 of the account. */
  feedback: Schema.Array(FeedbackResponse),
  videos: Schema.Array(
    Schema.Struct({
      id: Schema.String,
      created_at: Schema.String,
      status: Schema.String,
      model: Schema.String,
      /** Until the job ends. */
      prompt: Schema.NullOr(Schema.String)
    })
  ),
  /** The latest first. */
  records: Schema.Array(GenerationRecordResponse),
  /** Prompts and answers that are kept of these records, by the ids of their generations. */
  contents: Schema.Array(
    Schema.Struct({ generation_id: Schema.String, ...GenerationContentData.fields })
  ),
  /** Where the next page of records begins; null on the last one. */
  next_cursor: Schema.NullOr(Schema.String)
})

export class PeopleApi extends HttpApiGroup.make("people")
  .add(
    HttpApiEndpoint.post("export", "/api/v1/signalbox/people/export", {
      payload: ExportRequest,
      success: dataEnvelope(ExportResponse),
      error: [...authenticatedErrors, BadRequest, PayloadTooLarge]
    }).annotate(
      OpenApi.Summary,
      "Export what is kept of a user or an external user, with their records page by page."
    ),
    HttpApiEndpoint.post("erase", "/api/v1/signalbox/people/erase", {
      payload: PersonRequest,
      success: dataEnvelope(ErasureResponse),
      error: [...authenticatedErrors, BadRequest, Conflict, PayloadTooLarge]
    }).annotate(
      OpenApi.Summary,
      "Erase a user or an external user: revoke their keys, and give their records a random name."
    )
  )
  .middleware(Authentication)
  .annotate(RequiredCaller, "management")
  .annotate(OpenApi.Title, "People") {}
