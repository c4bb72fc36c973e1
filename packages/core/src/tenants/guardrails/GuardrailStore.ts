/** Stores guardrails and their assignments. A port. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { OwnedStore } from "../../instance/OwnedStore.ts"
import type { AccountId, KeyHash, UserId } from "../../values/ids/Ids.ts"
import type { OffsetRequest, OffsetPage } from "../../values/pages/OffsetPage.ts"
import type { Assignment, AssignmentKind } from "./Assignment.ts"
import type { Guardrail } from "./Guardrail.ts"

/** The subjects of a request that may have guardrails. */
export interface GuardrailSubjects {
  /** The id of the default guardrail of the workspace. */
  readonly defaultGuardrail: string
  readonly key?: KeyHash | undefined
  readonly member?: UserId | undefined
}

/** The result of assigning a guardrail. */
export interface AssignmentChange {
  /** The new assignments. */
  readonly added: ReadonlyArray<Assignment>
  /** The assignments of other guardrails that they replaced. */
  readonly replaced: ReadonlyArray<Assignment>
}

/**
 * A removed guardrail takes its assignments along. Race: concurrent assignments leave a key or member with at most one guardrail.
 */
export class GuardrailStore extends Context.Service<
  GuardrailStore,
  OwnedStore<Guardrail> & {
    /**
     * Assigns one guardrail to keys or members and replaces their former one; existing assignments of it stay.
     * Undefined when the guardrail does not exist. Race: a concurrent removal of the guardrail leaves no assignment.
     */
    readonly assign: (
      account: AccountId,
      guardrail: string,
      assignments: ReadonlyArray<Assignment>
    ) => Effect.Effect<AssignmentChange | undefined>
    /** Returns the removed assignments. */
    readonly unassign: (
      account: AccountId,
      guardrail: string,
      kind: AssignmentKind,
      subjects: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<Assignment>>
    /** Removes all assignments of these subjects, to every guardrail; returns them. */
    readonly unassignAll: (
      account: AccountId,
      kind: AssignmentKind,
      subjects: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<Assignment>>
    /** The assignments of one guardrail or of all, oldest first. */
    readonly listAssignments: (
      account: AccountId,
      kind: AssignmentKind,
      guardrail: string | undefined,
      page: OffsetRequest
    ) => Effect.Effect<OffsetPage<Assignment>>
    /**
     * The guardrails of a request, without duplicates: the workspace's default, the key's and the member's. Called for
     * every request.
     */
    readonly listEffective: (
      account: AccountId,
      restricted: GuardrailSubjects
    ) => Effect.Effect<ReadonlyArray<Guardrail>>
  }
>()("@signalbox/core/tenants/guardrails/GuardrailStore") {}
