/** Makes a change and writes its audit entry in one transaction. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Layer from "effect/Layer"
import { Transaction } from "../../../instance/Transaction.ts"
import type { Actor } from "../../../values/Actor.ts"
import { omitUndefined } from "../../../values/omitUndefined.ts"
import { AuditLog } from "./AuditLog.ts"
import { truncateState } from "./truncateState.ts"

/** The result of a change and its record: JSON without secrets, in the fields of the HTTP API; truncated when large. */
export interface AuditedChange<A> {
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
>()("@signalbox/core/observability/audit/Audit") {
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
