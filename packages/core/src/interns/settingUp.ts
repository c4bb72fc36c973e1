/** Prepares the host for a new intern, once, whoever comes to it: the request that made it, or who goes on after that. */
import * as Effect from "effect/Effect"
import * as Struct from "effect/Struct"
import { Atomically } from "../Atomically.ts"
import { DurableJobs } from "../jobs/DurableJobs.ts"
import { Settings } from "../Settings.ts"
import { askingHost } from "./askingHost.ts"
import { changing, unclaimed } from "./changing.ts"
import type { Intern } from "./Intern.ts"
import { isLeaving } from "./lifecycle.ts"
import type { InternHostFailure } from "./InternHost.ts"
import { firstStep, internKind, offered } from "./internTask.ts"
import { queued } from "./queued.ts"

export const settingUp = Effect.gen(function* () {
  const ask = yield* askingHost
  const { atomically } = yield* Atomically
  const { change } = yield* changing
  const jobs = yield* DurableJobs
  const kind = yield* internKind
  const settings = yield* Settings

  const prepare = (intern: Intern): Effect.Effect<void, InternHostFailure> =>
    ask(intern, {
      what: "preparing it",
      deadlineMillis: settings.internPrepareDeadlineMillis,
      ask: (host, hosted) => host.prepare?.(hosted) ?? Effect.void
    })

  const noteFailure = (intern: Intern, by: string, problem: string) =>
    change(intern.id, (now) =>
      now.claim?.by !== by || now.creation.isReady
        ? undefined
        : {
            ...unclaimed(now),
            creation: { ...now.creation, failures: now.creation.failures + 1, problem }
          }
    )

  const finish = Effect.fnUntraced(function* ({ id }: Intern, by: string) {
    const after = yield* change(id, (now, at) => {
      const free = now.claim?.by === by ? unclaimed(now) : now
      return isLeaving(now) ? free : begun(free, at)
    })
    if (after?.run.kind === "provision" && after.status === "queued") {
      yield* jobs.offer(kind, offered(firstStep(after)))
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
      yield* Effect.tapError(prepare(intern), ({ problem }) => noteFailure(intern, by, problem))
      return yield* atomically(finish(intern, by))
    })
  }
})

/** Ready, and queued when that waited for it alone. */
export const begun = (intern: Intern, at: number): Intern => {
  const { creation, run } = intern
  if (creation.isReady) return intern
  const ready: Intern = {
    ...intern,
    lastFailureMessage: null,
    creation: { ...Struct.omit(creation, ["problem"]), isReady: true }
  }
  return creation.provisions && run.kind === "none" ? queued(ready, at) : ready
}
