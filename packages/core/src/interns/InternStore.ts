/** Where interns are kept, until they are destroyed. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Iterable from "effect/Iterable"
import * as Layer from "effect/Layer"
import { MemoryJournal } from "../MemoryJournal.ts"
import { makeMemoryTable, makeMemoryTables } from "../makeMemoryTable.ts"
import type { AccountId } from "../values/ids/AccountId.ts"
import { type CursorRequest, type CursorPage, toCursorPage } from "../values/pages/CursorPage.ts"
import type { WorkspaceId } from "../values/ids/WorkspaceId.ts"
import type { VaultId } from "../vaults/VaultId.ts"
import type { Intern } from "./Intern.ts"
import { NameTaken, NotLendable } from "./InternErrors.ts"
import type { InternId } from "./InternId.ts"
import type { InternStatus } from "./InternStatus.ts"

/** Which interns of a workspace are listed. */
export interface InternFilter {
  readonly workspace: WorkspaceId
  /** Each once; absent: all. */
  readonly statuses?: ReadonlyArray<InternStatus>
}

/** Keeps interns, one row each. */
export class InternStore extends Context.Service<
  InternStore,
  {
    /**
     * Race: of several with one `creation.key` one is kept, and all are told of that one. Of several of one
     * creator with one name in a workspace one is kept, and the others fail. Where it borrows a vault, the intern that
     * owns it is there, in the same workspace, or nothing is kept; whoever removes that one at the same time removes
     * it before, or finds the borrower.
     */
    readonly add: (intern: Intern) => Effect.Effect<Intern, NameTaken | NotLendable>
    /** See `CountResources`. */
    readonly count: (account: AccountId, workspace?: string) => Effect.Effect<number>
    readonly find: (id: InternId) => Effect.Effect<Intern | undefined>
    /** The one that is kept under a `creation.key`. */
    readonly findByCreationKey: (key: string) => Effect.Effect<Intern | undefined>
    /** In lower case. Of several with one hostname the latest. */
    readonly findByHostname: (hostname: string) => Effect.Effect<Intern | undefined>
    /**
     * Race: false, and nothing is done, unless the one there is has this turn. What it borrows stays as it is. Fails,
     * and nothing is done, when its name is that of another one by then.
     */
    readonly replace: (version: number, after: Intern) => Effect.Effect<boolean, NameTaken>
    /** The latest first, at the same cost however many there are. */
    readonly list: (
      account: AccountId,
      filter: InternFilter,
      scroll: CursorRequest
    ) => Effect.Effect<CursorPage<Intern>>
    /**
     * Those that borrow its vault borrow none from then on; their turns stay. Race: false, and nothing is done,
     * unless the one there is has this turn.
     */
    readonly remove: (turn: number, id: InternId) => Effect.Effect<boolean>
  }
>()("@signalbox/core/interns/InternStore") {
  static readonly layerMemory: Layer.Layer<InternStore, never, MemoryJournal> = Layer.effect(
    InternStore,
    Effect.map(MemoryJournal, (journal) => {
      const interns = makeMemoryTable<InternId, Intern>(journal)
      const keys = makeMemoryTable<string, InternId>(journal)
      const names = makeMemoryTable<string, InternId>(journal)
      const hostnames = makeMemoryTable<string, InternId>(journal)
      const vaultOwners = makeMemoryTable<VaultId, InternId>(journal)
      /** Those of each workspace, which lists them. */
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
      /** What was found by something of it is found by what that is now. */
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
      const replace = Effect.fnUntraced(function* (turn: number, after: Intern) {
        const before = interns.rows.get(after.id)
        if (before?.version !== turn) return false
        if (isTaken(after)) return yield* new NameTaken({ name: after.name })
        yield* interns.edit((draft) =>
          draft.set(after.id, { ...after, attachedVault: before.attachedVault })
        )
        yield* reindex(before, after)
        return true
      })
      const remove = Effect.fnUntraced(function* (turn: number, id: InternId) {
        const before = interns.rows.get(id)
        if (before?.version !== turn) return false
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

      return {
        add: (intern) => journal.withTransaction(add(intern)),
        find: (id) => Effect.sync(() => interns.rows.get(id)),
        findByCreationKey: (key) => Effect.sync(() => findOptional(keys.rows.get(key))),
        findByHostname: (hostname) => Effect.sync(() => findOptional(hostnames.rows.get(hostname))),
        replace: (turn, after) => journal.withTransaction(replace(turn, after)),
        count: (account, workspace) =>
          Effect.sync(() => {
            let count = 0
            for (const intern of interns.rows.values()) {
              if (
                intern.account === account &&
                (workspace === undefined || intern.workspace === workspace)
              ) {
                count++
              }
            }
            return count
          }),
        list: (account, { statuses, workspace }, scroll) =>
          Effect.sync(() =>
            toCursorPage(
              Iterable.flatMap(
                workspaceInterns(account, workspace).newestFirst(scroll.after),
                ({ cursor, row: id }) => {
                  const row = interns.rows.get(id)
                  return row !== undefined && statuses?.includes(row.status) !== false
                    ? [{ cursor, row }]
                    : []
                }
              ),
              scroll
            )
          ),
        remove: (turn, id) => journal.withTransaction(remove(turn, id))
      }
    })
  )
}

const toNameKey = ({ account, creator, name, workspace }: Intern): string =>
  JSON.stringify([account, workspace, creator, name])
