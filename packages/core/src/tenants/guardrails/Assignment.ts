/** Assigns a guardrail to a key, or to a member with all keys of the member. */
import * as Schema from "effect/Schema"

const sharedFields = {
  id: Schema.String,
  guardrail_id: Schema.String,
  /** The member who assigned it; null for the application. */
  assigned_by: Schema.NullOr(Schema.String),
  /** ISO 8601. */
  created_at: Schema.String
}

/** A stored assignment. */
export const Assignment = Schema.Struct({
  ...sharedFields,
  kind: Schema.Literals(["key", "member"]),
  /** The hash of the key, or the id of the member. */
  subject: Schema.String
})
export type Assignment = typeof Assignment.Type
/** Whether a guardrail is assigned to a key or to a member. */
export type AssignmentKind = Assignment["kind"]

/** An assignment to a key as the HTTP API shows it. */
export const KeyAssignmentResponse = Schema.Struct({
  ...sharedFields,
  key_hash: Schema.String,
  /** Empty when the key was removed. */
  key_name: Schema.String,
  key_label: Schema.String
})
export type KeyAssignmentResponse = typeof KeyAssignmentResponse.Type

/** An assignment to a member as the HTTP API shows it. */
export const MemberAssignmentResponse = Schema.Struct({
  ...sharedFields,
  user_id: Schema.String,
  /** The account. */
  organization_id: Schema.String
})
export type MemberAssignmentResponse = typeof MemberAssignmentResponse.Type
