/** Makes a change and writes its audit entry in one transaction. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Layer from "effect/Layer"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { Transaction } from "../../../instance/Transaction.ts"
import type { Actor } from "../../../values/Actor.ts"
import { countJsonBytes } from "../../../values/json/JsonCost.ts"
import { omitUndefined } from "../../../values/ownFields.ts"
import { AuditLog } from "./AuditLog.ts"

/** UTF-8 bytes of the JSON of a state without its field names; enough for several hundred models. */
export const maxStateBytes = 32_768

/** Keeps the fields, or the first items, that fit; a text with the omitted size replaces the others. */
export const truncateState = (state: unknown): unknown => {
  if (state === undefined || countJsonBytes(state) <= maxStateBytes) return state
  if (Array.isArray(state)) return truncateList(state)
  return typeof state === "object" && state !== null
    ? truncateFields(state)
    : describeOmission(state)
}

const truncateList = (items: ReadonlyArray<unknown>): ReadonlyArray<unknown> => {
  let room = maxStateBytes
  const end = items.findIndex((item) => (room -= countJsonBytes(item) + 1) <= 0)
  return [...items.slice(0, end), `(${items.length - end} more left out)`]
}

const truncateFields = (state: object): object => {
  let room = maxStateBytes
  return Object.fromEntries(
    Object.entries(state).map(([field, value]) => {
      const bytes = countJsonBytes(value)
      if (bytes > room) return [field, describeOmission(value)]
      room -= bytes
      return [field, value]
    })
  )
}

const describeOmission = (value: unknown): string => `(${countJsonBytes(value)} bytes left out)`

/** The result of a change and its record: JSON without secrets, in the fields of the HTTP API; truncated when large. */
interface AuditedChange<A> {
  readonly result: A
  /** The id of the changed resource; undefined when nothing changed, and no entry is written. */
  readonly target: string | undefined
  readonly before?: unknown
  readonly after?: unknown
}

/** `target`; undefined when before and after are equal, and no entry is written. */
export const findChangedTarget = (
  target: string,
  before: unknown,
  after: unknown
): string | undefined => (Equal.equals(before, after) ? undefined : target)

/** Writes the audit log together with each change. */
export class Audit extends Context.Service<
  Audit,
  {
    /** Runs `change` in a transaction and writes its entry; `action` is, for example, `workspace.update`. */
    readonly change: <A, E, R>(
      actor: Actor,
      action: string,
      change: Effect.Effect<AuditedChange<A>, E, R>
    ) => Effect.Effect<A, E, R>
  }
>()("@signalbox/core/engine/observability/audit/Audit") {
  static readonly layer = Layer.effect(
    Audit,
    Effect.gen(function* () {
      const log = yield* AuditLog
      const { withTransaction } = yield* Transaction
      return {
        change: (actor, action, change) =>
          withTransaction(
            Effect.gen(function* () {
              const { after, before, result, target } = yield* change
              if (target === undefined) return result
              const { account, keyHash, user } = actor
              yield* log.append({
                id: SecureRandom.uuidV7Unsafe(),
                account,
                at: yield* Clock.currentTimeMillis,
                actor: omitUndefined({ keyHash, user }),
                action,
                target,
                ...omitUndefined({ before: truncateState(before), after: truncateState(after) })
              })
              return result
            })
          )
      }
    })
  )
}
