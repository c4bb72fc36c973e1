/** Members of workspaces. */
import * as Schema from "effect/Schema"

/** A member of a workspace. */
export const Member = Schema.Struct({
  id: Schema.String,
  workspace_id: Schema.String,
  user_id: Schema.String,
  role: Schema.Literals(["admin", "member"]),
  created_at: Schema.String
})
export type Member = typeof Member.Type
