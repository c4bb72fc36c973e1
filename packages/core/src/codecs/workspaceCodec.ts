/** A workspace, its members and budgets, to JSON and back. */
import * as Schema from "effect/Schema"
import { Budget } from "../workspaces/Budget.ts"
import { Member } from "../workspaces/Member.ts"
import { Workspace } from "../workspaces/Workspace.ts"

/** A workspace to JSON and back. */
export const workspaceCodec: Schema.Codec<Workspace, Schema.Json> = Schema.toCodecJson(Workspace)

/** A member of a workspace to JSON and back. */
export const memberCodec: Schema.Codec<Member, Schema.Json> = Schema.toCodecJson(Member)

/** A budget of a workspace to JSON and back. */
export const budgetCodec: Schema.Codec<Budget, Schema.Json> = Schema.toCodecJson(Budget)
