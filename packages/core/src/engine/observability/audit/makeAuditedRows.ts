/** Reads and changes rows that accounts own, with the audit entry of each change. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Actor } from "../../../values/Actor.ts"
import { ResourceNotFound } from "../../../values/errors/RequestErrors.ts"
import type { OwnedRows } from "../../../instance/OwnedStore.ts"
import { type Audit, findChangedTarget } from "./Audit.ts"

interface RowKind<Row> {
  /** The first word of its actions, such as `key` of `key.update`. */
  readonly action: string
  /** What errors call it, such as `API key`. */
  readonly resource: string
  /** What the audit log shows of a row; default: the row. */
  readonly toState?: (row: Row) => object
}

interface UpdateOptions<E> {
  /** The second word of the action; default: `update`. */
  readonly action?: string
  /** Further facts for the audit log, which count as a change. */
  readonly facts?: object
  /** Runs first, in the transaction of the change; true when it creates the row, which then has no `before`. */
  readonly ensure?: Effect.Effect<boolean, E>
}

/** A row of another account is not found. */
export const makeAuditedRows = <Id extends string, Row extends object>(
  audit: Audit["Service"],
  store: Pick<OwnedRows<Row, Id>, "find" | "remove" | "update">,
  { action, resource, toState = (row: Row): object => row }: RowKind<Row>
) => {
  const orMissing = <A>(id: Id, found: A | undefined): Effect.Effect<A, ResourceNotFound> =>
    found === undefined
      ? Effect.fail(new ResourceNotFound({ resource, id }))
      : Effect.succeed(found)

  /** Undefined when it does not exist. */
  const removeIfPresent = (actor: Actor, id: Id) =>
    audit.change(
      actor,
      `${action}.delete`,
      Effect.map(store.remove(actor.account, id), (removed) => ({
        result: removed,
        target: removed === undefined ? undefined : id,
        before: removed === undefined ? undefined : toState(removed)
      }))
    )

  return {
    get: ({ account }: Actor, id: Id) =>
      Effect.flatMap(store.find(account, id), (found) => orMissing(id, found)),
    /** Changes nothing when `change` fails. */
    update: <E, E2 = never>(
      actor: Actor,
      id: Id,
      change: (row: Row) => Result.Result<Row, E>,
      options: UpdateOptions<E2> = {}
    ) =>
      audit.change(
        actor,
        `${action}.${options.action ?? "update"}`,
        Effect.gen(function* () {
          const isNew = options.ensure !== undefined && (yield* options.ensure)
          let was: Row | undefined
          let changed: Result.Result<Row, E> | undefined
          yield* store.update(actor.account, id, (row) => {
            if (!isNew) was = row
            changed = change(row)
            return Result.getOrElse(changed, () => row)
          })
          const after = yield* Effect.fromResult(yield* orMissing(id, changed))
          const before = was === undefined ? undefined : toState(was)
          const state = { ...toState(after), ...options.facts }
          return {
            result: after,
            target: findChangedTarget(id, before, state),
            before,
            after: state
          }
        })
      ),
    removeIfPresent,
    remove: (actor: Actor, id: Id) =>
      Effect.flatMap(removeIfPresent(actor, id), (removed) => orMissing(id, removed))
  }
}
