/** GuardrailStore in the memory of this process. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { MemoryJournal } from "./MemoryJournal.ts"
import { makeMemoryTable, removeWhere } from "./makeMemoryTable.ts"
import type { AccountId } from "../values/ids/Ids.ts"
import { toOffsetPage } from "../values/pages/OffsetPage.ts"
import type { Assignment, AssignmentKind } from "../tenants/guardrails/Assignment.ts"
import type { Guardrail } from "../tenants/guardrails/Guardrail.ts"
import { GuardrailStore, type GuardrailSubjects } from "../tenants/guardrails/GuardrailStore.ts"
import { renameAssignment } from "../domains/people/renameRecords.ts"
import { listOwned, makeOwnedStore, type OwnedRow, registerRename, toRowKey } from "./ownedRows.ts"

export const memoryGuardrailStore: Layer.Layer<GuardrailStore, never, MemoryJournal> = Layer.effect(
  GuardrailStore,
  Effect.gen(function* () {
    const journal = yield* MemoryJournal
    const guardrails = makeMemoryTable<string, OwnedRow<Guardrail>>(journal)
    const owned = makeOwnedStore(guardrails)
    /** By subject: each key or member has at most one guardrail. */
    const assignments = makeMemoryTable<string, OwnedRow<Assignment>>(journal)

    yield* registerRename(assignments, renameAssignment)

    const findAssigned = (account: AccountId, kind: AssignmentKind, subject: string | undefined) =>
      subject === undefined || assignments.rows.size === 0
        ? undefined
        : assignments.rows.get(toRowKey(account, kind, subject))?.value.guardrail_id

    const listEffective = (
      account: AccountId,
      { defaultGuardrail, key: hash, member }: GuardrailSubjects
    ): ReadonlyArray<Guardrail> => {
      const ids = new Set([
        defaultGuardrail,
        findAssigned(account, "key", hash),
        findAssigned(account, "member", member)
      ])
      const found: Array<Guardrail> = []
      for (const id of ids) {
        const row = id === undefined ? undefined : guardrails.rows.get(toRowKey(account, id))
        if (row !== undefined) found.push(row.value)
      }
      return found.length === 0 ? none : found
    }
    /** The latest answers, which requests of one caller share until a table changes. */
    const latest = new WeakMap<GuardrailSubjects, LatestGuardrails>()

    return {
      ...owned,
      remove: Effect.fnUntraced(function* (account, id) {
        const before = yield* owned.remove(account, id)
        if (before === undefined) return undefined
        yield* removeWhere(
          assignments,
          (row) => row.account === account && row.value.guardrail_id === id
        )
        return before
      }),

      assign: (account, guardrail, given) =>
        assignments.edit((draft) => {
          if (!guardrails.rows.has(toRowKey(account, guardrail))) return undefined
          const replaced: Array<Assignment> = []
          const added = given.filter((assignment) => {
            const id = toRowKey(account, assignment.kind, assignment.subject)
            const before = draft.get(id)?.value
            if (before?.guardrail_id === guardrail) return false
            if (before !== undefined) replaced.push(before)
            // A replaced assignment becomes the newest.
            draft.delete(id)
            draft.set(id, { account, value: assignment })
            return true
          })
          return { added, replaced }
        }),
      unassign: (account, guardrail, kind, subjects) =>
        assignments.edit((draft) =>
          subjects.flatMap((subject) => {
            const id = toRowKey(account, kind, subject)
            const row = draft.get(id)
            return row?.value.guardrail_id === guardrail && draft.delete(id) ? [row.value] : []
          })
        ),
      unassignAll: (account, kind, subjects) =>
        assignments.edit((draft) =>
          subjects.flatMap((subject) => {
            const id = toRowKey(account, kind, subject)
            const row = draft.get(id)
            return row !== undefined && draft.delete(id) ? [row.value] : []
          })
        ),
      listAssignments: (account, kind, guardrail, page) =>
        Effect.sync(() =>
          toOffsetPage(
            listOwned(
              assignments.rows,
              account,
              (each) =>
                each.kind === kind && (guardrail === undefined || each.guardrail_id === guardrail)
            ),
            page
          )
        ),
      listEffective: (account, subjects) => {
        if (guardrails.rows.size === 0) return Effect.succeed(none)
        const known = latest.get(subjects)
        if (
          known !== undefined &&
          known.account === account &&
          known.guardrails === guardrails.version() &&
          known.assignments === assignments.version()
        ) {
          return known.found
        }
        const found = Effect.succeed(listEffective(account, subjects))
        latest.set(subjects, {
          account,
          guardrails: guardrails.version(),
          assignments: assignments.version(),
          found
        })
        return found
      }
    }
  })
)

const none: ReadonlyArray<Guardrail> = []

interface LatestGuardrails {
  readonly account: AccountId
  /** The versions of the tables when they were read. */
  readonly guardrails: number
  readonly assignments: number
  readonly found: Effect.Effect<ReadonlyArray<Guardrail>>
}
