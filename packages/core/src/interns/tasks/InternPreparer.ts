/** Prepares the host for a new intern, once, whoever comes to it: the request that made it, or who goes on after that. */
import * as Effect from "effect/Effect"
import * as Struct from "effect/Struct"
import { Transaction } from "../../Transaction.ts"
import { DurableJobs } from "../../jobs/DurableJobs.ts"
import { Settings } from "../../Settings.ts"
import { makeInternHostClient } from "../host/InternHostClient.ts"
import { makeInternUpdater, removeClaim } from "./InternUpdater.ts"
import type { Intern } from "../Intern.ts"
import { isDeleting } from "../lifecycle.ts"
import type { InternHostFailure } from "../host/InternHost.ts"
import { makeFirstStep, makeInternJobKind, toJobOffer } from "./InternTask.ts"
import { toQueuedIntern } from "./toQueuedIntern.ts"

export const makeInternPreparer = Effect.gen(function* () {
  const callHost = yield* makeInternHostClient
  const { withTransaction } = yield* Transaction
  const { change } = yield* makeInternUpdater
  const jobs = yield* DurableJobs
  const kind = yield* makeInternJobKind
  const settings = yield* Settings

  const prepare = (intern: Intern): Effect.Effect<void, InternHostFailure> =>
    callHost(intern, {
      operation: "preparing it",
      timeoutMillis: settings.internPrepareTimeoutMillis,
      invoke: (host, hosted) => host.prepare?.(hosted) ?? Effect.void
    })

  const recordFailure = (intern: Intern, by: string, problem: string) =>
    change(intern.id, (now) =>
      now.claim?.owner !== by || now.creation.isReady
        ? undefined
        : {
            ...removeClaim(now),
            creation: { ...now.creation, failures: now.creation.failures + 1, problem }
          }
    )

  const finish = Effect.fnUntraced(function* ({ id }: Intern, by: string) {
    const after = yield* change(id, (now, at) => {
      const withoutClaim = now.claim?.owner === by ? removeClaim(now) : now
      return isDeleting(now) ? withoutClaim : markReady(withoutClaim, at)
    })
    if (after?.run.kind === "provision" && after.status === "queued") {
      yield* jobs.offer(kind, toJobOffer(makeFirstStep(after)))
    }
    return after
  })

  return {
    prepare,
    /**
     * Of an intern that is claimed `by` whoever asks: as it is after that, queued where it waited for this alone;
     * undefined when it is gone. One that is being destroyed goes on with that.
     */
    setUp: Effect.fnUntraced(function* (intern: Intern, by: string) {
      yield* Effect.tapError(prepare(intern), ({ problem }) => recordFailure(intern, by, problem))
      return yield* withTransaction(finish(intern, by))
    })
  }
})

/** Ready, and queued when that waited for it alone. */
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
