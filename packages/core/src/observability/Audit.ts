/** Makes changes that are told of: the change and its entry in the audit log, or neither. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Layer from "effect/Layer"
import { Transaction } from "../Transaction.ts"
import type { Actor } from "../values/Actor.ts"
import { AuditLog } from "./AuditLog.ts"
import { truncateState } from "./truncateState.ts"

/**
 * The result of a change and its record: plain JSON without secrets, in the fields of the HTTP API. Of what
 * is very large parts are told.
 */
export interface AuditedChange<A> {
  readonly result: A
  /** The id of what was changed; undefined when nothing was, and nothing is told. */
  readonly target: string | undefined
  readonly before?: unknown
  readonly after?: unknown
}

/** `target`, unless a change left things as they were, of which nothing is told. */
export const findChangedTarget = (
  target: string,
  before: unknown,
  after: unknown
): string | undefined => (Equal.equals(before, after) ? undefined : target)

/** Writes the audit log together with the change it tells of. */
export class Audit extends Context.Service<
  Audit,
  {
    /** `action` is such as `workspace.update`. */
    readonly change: <A, E, R>(
      actor: Actor,
      action: string,
      change: Effect.Effect<AuditedChange<A>, E, R>
    ) => Effect.Effect<A, E, R>
  }
>()("@signalbox/core/observability/Audit") {
  static readonly layer: Layer.Layer<Audit, never, AuditLog | Transaction> = Layer.effect(
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
                actor: {
                  ...(keyHash === undefined ? undefined : { keyHash }),
                  ...(user === undefined ? undefined : { user })
                },
                action,
                target,
                ...(before === undefined ? undefined : { before: truncateState(before) }),
                ...(after === undefined ? undefined : { after: truncateState(after) })
              })
              return result
            })
          )
      }
    })
  )
}
