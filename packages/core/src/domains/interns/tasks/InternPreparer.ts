/** Prepares the host for a new intern, from the create request or from the task that finishes it. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Struct from "effect/Struct"
import { Transaction } from "../../../instance/Transaction.ts"
import { DurableJobs } from "../../../engine/jobs/DurableJobs.ts"
import { Settings } from "../../../instance/Settings.ts"
import { InternHostClient } from "../host/InternHostClient.ts"
import { InternUpdater, removeClaim } from "./InternUpdater.ts"
import type { Intern } from "../Intern.ts"
import { isDeleting } from "../InternStatus.ts"
import type { InternHostFailure } from "../host/InternHost.ts"
import { makeFirstStep, makeInternJobKind, toJobOffer, toQueuedIntern } from "./InternTask.ts"

/** Prepares interns. */
export class InternPreparer extends Context.Service<
  InternPreparer,
  {
    readonly prepare: (intern: Intern) => Effect.Effect<void, InternHostFailure>
    /**
     * Prepares an intern that `owner` has claimed, and releases it. Returns the intern, queued when it waited
     * for the preparation only; undefined when it does not exist any more.
     */
    readonly setUp: (
      intern: Intern,
      owner: string
    ) => Effect.Effect<Intern | undefined, InternHostFailure>
  }
>()("@signalbox/core/domains/interns/tasks/InternPreparer") {
  static readonly layer = Layer.effect(
    InternPreparer,
    Effect.gen(function* () {
      const hostClient = yield* InternHostClient
      const { withTransaction } = yield* Transaction
      const { update } = yield* InternUpdater
      const jobs = yield* DurableJobs
      const settings = yield* Settings
      const kind = makeInternJobKind(settings)

      const prepare = (intern: Intern): Effect.Effect<void, InternHostFailure> =>
        hostClient.call(intern, {
          operation: "preparing it",
          timeoutMillis: settings.internPrepareTimeoutMillis,
          invoke: (host, hosted) => host.prepare?.(hosted) ?? Effect.void
        })

      const recordFailure = (intern: Intern, owner: string, problem: string) =>
        update(intern.id, (now) =>
          now.claim?.owner !== owner || now.creation.isReady
            ? undefined
            : {
                ...removeClaim(now),
                creation: { ...now.creation, failures: now.creation.failures + 1, problem }
              }
        )

      const finish = Effect.fnUntraced(function* ({ id }: Intern, owner: string) {
        const after = yield* update(id, (now, at) => {
          const withoutClaim = now.claim?.owner === owner ? removeClaim(now) : now
          return isDeleting(now) ? withoutClaim : markReady(withoutClaim, at)
        })
        if (after?.run.kind === "provision" && after.status === "queued") {
          yield* jobs.offer(kind, toJobOffer(makeFirstStep(after)))
        }
        return after
      })

      return {
        prepare,
        setUp: Effect.fnUntraced(function* (intern, owner) {
          yield* Effect.tapError(prepare(intern), ({ problem }) =>
            recordFailure(intern, owner, problem)
          )
          return yield* withTransaction(finish(intern, owner))
        })
      }
    })
  ).pipe(Layer.provide([InternHostClient.layer, InternUpdater.layer]))
}

/** The intern with its preparation done; queued when it is to be provisioned. */
export const markReady = (intern: Intern, at: number): Intern => {
  const { creation, run } = intern
  if (creation.isReady) return intern
  const ready: Intern = {
    ...intern,
    lastFailureMessage: null,
    creation: { ...Struct.omit(creation, ["problem"]), isReady: true }
  }
  return creation.shouldProvision && run.kind === "none" ? toQueuedIntern(ready, at) : ready
}
