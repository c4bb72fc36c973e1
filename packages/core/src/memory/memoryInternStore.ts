/** InternStore in the memory of this process. */
import * as Effect from "effect/Effect"
import * as Iterable from "effect/Iterable"
import * as Layer from "effect/Layer"
import { MemoryJournal } from "./MemoryJournal.ts"
import { makeMemoryTable, makeMemoryTables } from "./makeMemoryTable.ts"
import { renameIntern } from "../domains/people/renameRecords.ts"
import { MemoryPeople } from "./MemoryPeople.ts"
import { toCursorPage } from "../values/pages/CursorPage.ts"
import type { VaultId } from "../domains/vaults/VaultId.ts"
import { type Intern, NameTaken, NotLendable } from "../domains/interns/Intern.ts"
import type { InternId } from "../domains/interns/InternId.ts"
import { InternStore } from "../domains/interns/InternStore.ts"

export const memoryInternStore: Layer.Layer<InternStore, never, MemoryJournal> = Layer.effect(
  InternStore,
  Effect.map(Effect.all([MemoryJournal, MemoryPeople]), ([journal, people]) => {
    const interns = makeMemoryTable<InternId, Intern>(journal)
    const keys = makeMemoryTable<string, InternId>(journal)
    const names = makeMemoryTable<string, InternId>(journal)
    const hostnames = makeMemoryTable<string, InternId>(journal)
    const vaultOwners = makeMemoryTable<VaultId, InternId>(journal)
    const workspaceInterns = makeMemoryTables<InternId, InternId>(journal)
    const indexes = [
      [keys, ({ creation }: Intern) => creation.key],
      [names, toNameKey],
      [hostnames, ({ hostname }: Intern) => hostname ?? undefined]
    ] as const

    const findOptional = (id: InternId | undefined): Intern | undefined =>
      id === undefined ? undefined : interns.rows.get(id)
    const isTaken = (intern: Intern): boolean => {
      const id = names.rows.get(toNameKey(intern))
      return id !== undefined && id !== intern.id
    }
    const reindex = (before: Intern | undefined, after: Intern | undefined) =>
      Effect.forEach(
        indexes,
        ([index, toIndexKey]) => {
          const from = before === undefined ? undefined : toIndexKey(before)
          const to = after === undefined ? undefined : toIndexKey(after)
          if (from === to) return Effect.void
          return index.edit((draft) => {
            if (from !== undefined && draft.get(from) === before?.id) draft.delete(from)
            if (to !== undefined && after !== undefined) draft.set(to, after.id)
          })
        },
        { discard: true }
      )

    const add = Effect.fnUntraced(function* (intern: Intern) {
      const { account, attachedVault, creation, id, name, vault, workspace } = intern
      const existing =
        creation.key === undefined ? undefined : findOptional(keys.rows.get(creation.key))
      if (existing !== undefined) return existing
      if (isTaken(intern)) return yield* new NameTaken({ name })
      if (attachedVault !== null) {
        const vaultOwner = findOptional(vaultOwners.rows.get(attachedVault))
        if (vaultOwner?.account !== account || vaultOwner.workspace !== workspace) {
          return yield* new NotLendable({ vault: attachedVault })
        }
      }
      yield* interns.edit((draft) => draft.set(id, intern))
      yield* vaultOwners.edit((draft) => draft.set(vault, id))
      yield* workspaceInterns(account, workspace).edit((draft) => draft.set(id, id))
      yield* reindex(undefined, intern)
      return intern
    })
    const replace = Effect.fnUntraced(function* (version: number, after: Intern) {
      const before = interns.rows.get(after.id)
      if (before?.version !== version) return false
      if (isTaken(after)) return yield* new NameTaken({ name: after.name })
      yield* interns.edit((draft) =>
        draft.set(after.id, { ...after, attachedVault: before.attachedVault })
      )
      yield* reindex(before, after)
      return true
    })
    const remove = Effect.fnUntraced(function* (version: number, id: InternId) {
      const before = interns.rows.get(id)
      if (before?.version !== version) return false
      yield* interns.edit((draft) => {
        draft.delete(id)
        for (const borrower of Array.from(draft.values())) {
          if (borrower.attachedVault === before.vault) {
            draft.set(borrower.id, { ...borrower, attachedVault: null })
          }
        }
      })
      yield* vaultOwners.edit((draft) => draft.delete(before.vault))
      yield* workspaceInterns(before.account, before.workspace).edit((draft) => draft.delete(id))
      yield* reindex(before, undefined)
      return true
    })

    people.register((renaming) =>
      journal.withTransaction(
        Effect.gen(function* () {
          let changed = 0
          for (const before of Array.from(interns.rows.values())) {
            const after =
              before.account === renaming.account ? renameIntern(before, renaming) : before
            if (after === before) continue
            yield* interns.edit((draft) => draft.set(after.id, after))
            yield* reindex(before, after)
            changed++
          }
          return changed
        })
      )
    )

    return {
      add: (intern) => journal.withTransaction(add(intern)),
      find: (id) => Effect.sync(() => interns.rows.get(id)),
      findByCreationKey: (key) => Effect.sync(() => findOptional(keys.rows.get(key))),
      findByHostname: (hostname) => Effect.sync(() => findOptional(hostnames.rows.get(hostname))),
      replace: (version, after) => journal.withTransaction(replace(version, after)),
      count: (account, workspace) =>
        Effect.sync(() =>
          Iterable.countBy(
            interns.rows.values(),
            (intern) =>
              intern.account === account &&
              (workspace === undefined || intern.workspace === workspace)
          )
        ),
      list: (account, { statuses, workspace }, cursorRequest) =>
        Effect.sync(() =>
          toCursorPage(
            Iterable.flatMap(
              workspaceInterns(account, workspace).newestFirst(cursorRequest.after),
              ({ cursor, row: id }) => {
                const row = interns.rows.get(id)
                return row !== undefined && statuses?.includes(row.status) !== false
                  ? [{ cursor, row }]
                  : []
              }
            ),
            cursorRequest
          )
        ),
      remove: (version, id) => journal.withTransaction(remove(version, id))
    }
  })
)

const toNameKey = ({ account, creator, name, workspace }: Intern): string =>
  JSON.stringify([account, workspace, creator, name])
