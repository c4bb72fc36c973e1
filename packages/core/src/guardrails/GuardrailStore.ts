/** Where guardrails are kept, and whom they are assigned to. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { AccountId } from "../values/ids/AccountId.ts"
import type { KeyHash } from "../values/ids/KeyHash.ts"
import { type OffsetRequest, type OffsetPage } from "../values/pages/OffsetPage.ts"
import type { UserId } from "../values/ids/UserId.ts"
import type { Assignment, AssignmentKind } from "./Assignment.ts"
import type { Guardrail } from "./Guardrail.ts"

/** Whose requests are restricted. */
export interface GuardrailSubjects {
  /** The id of the guardrail that all requests of the workspace are under. */
  readonly defaultGuardrail: string
  readonly key?: KeyHash | undefined
  readonly member?: UserId | undefined
}

/** What assigning a guardrail changed. */
export interface AssignmentChange {
  /** Those that are new. */
  readonly added: ReadonlyArray<Assignment>
  /** Those there were, of other guardrails, whose place they took. */
  readonly replaced: ReadonlyArray<Assignment>
}

/** Race: a key or member has one guardrail at most, whoever assigns one at the same time. */
export class GuardrailStore extends Context.Service<
  GuardrailStore,
  {
    readonly find: (account: AccountId, id: string) => Effect.Effect<Guardrail | undefined>
    /** Those of a workspace, oldest first. */
    readonly list: (
      account: AccountId,
      workspace: string,
      page: OffsetRequest
    ) => Effect.Effect<OffsetPage<Guardrail>>
    /** See `CountResources`. */
    readonly count: (account: AccountId, workspace?: string) => Effect.Effect<number>
    /** Adds it unless there is one of its id; whether it did. Race: of many at once one adds it. */
    readonly insert: (account: AccountId, guardrail: Guardrail) => Effect.Effect<boolean>
    /**
     * What `change` makes of it; undefined when there is none. Race: no change is lost to another that
     * happens at once. What `change` throws is a defect, and nothing has changed.
     */
    readonly update: (
      account: AccountId,
      id: string,
      change: (guardrail: Guardrail) => Guardrail
    ) => Effect.Effect<Guardrail | undefined>
    /** With its assignments; what was there. */
    readonly remove: (account: AccountId, id: string) => Effect.Effect<Guardrail | undefined>

    /**
     * Assigns them, each in the place of the guardrail its key or member had: who has this guardrail
     * already keeps the assignment. All are of one guardrail; undefined when there is none. Race: nobody
     * is left assigned to one that is removed at the same time.
     */
    readonly assign: (
      account: AccountId,
      guardrail: string,
      assignments: ReadonlyArray<Assignment>
    ) => Effect.Effect<AssignmentChange | undefined>
    /** Those who had it: the assignments there were. */
    readonly unassign: (
      account: AccountId,
      guardrail: string,
      kind: AssignmentKind,
      subjects: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<Assignment>>
    /** Takes whatever guardrail these have from them; the assignments there were. */
    readonly unassignAll: (
      account: AccountId,
      kind: AssignmentKind,
      subjects: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<Assignment>>
    /** Of one guardrail or of all, oldest first. */
    readonly listAssignments: (
      account: AccountId,
      kind: AssignmentKind,
      guardrail: string | undefined,
      page: OffsetRequest
    ) => Effect.Effect<OffsetPage<Assignment>>
    /**
     * What requests are under: the default one of the workspace, that of the key, that of the member;
     * each once. Asked for every request.
     */
    readonly listEffective: (
      account: AccountId,
      restricted: GuardrailSubjects
    ) => Effect.Effect<ReadonlyArray<Guardrail>>
  }
>()("@signalbox/core/guardrails/GuardrailStore") {}
