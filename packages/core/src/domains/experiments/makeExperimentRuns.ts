/**
 * How experiments stand. Each process adds what it measures to the store periodically, which is when canaries are judged
 * and when a process learns what others decided.
 */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { LedgerStore } from "../../engine/ledger/LedgerStore.ts"
import { Audit } from "../../engine/observability/audit/Audit.ts"
import { Settings } from "../../instance/Settings.ts"
import type { Actor } from "../../values/Actor.ts"
import { ResourceNotFound } from "../../values/errors/RequestErrors.ts"
import { defaultAccountId } from "../../values/ids/Ids.ts"
import type { Experiment } from "./Experiment.ts"
import { type ExperimentEnd, type ExperimentState, getRecent } from "./ExperimentState.ts"
import { ExperimentStore } from "./ExperimentStore.ts"
import { type ExperimentTrack, toBudgetLimits } from "./ExperimentTrack.ts"
import { findRollbackCause } from "./rollbackRules.ts"

/** An experiment and how it stands. */
export interface ExperimentReport {
  readonly experiment: Experiment
  readonly state: ExperimentState
}

/** Starts the exchange with the store, which ends with the scope. */
export const makeExperimentRuns = Effect.fnUntraced(function* (
  tracks: ReadonlyArray<ExperimentTrack>
) {
  const audit = yield* Audit
  const clock = yield* Clock.Clock
  const { experimentSyncMillis } = yield* Settings
  const ledger = yield* LedgerStore
  const store = yield* ExperimentStore

  /** `change` and its audit entry, with the state of before and after. */
  const changeState = (
    actor: Actor,
    action: string,
    track: ExperimentTrack,
    after: Pick<ExperimentState, "status"> & { readonly cause?: string },
    change: Effect.Effect<boolean>
  ): Effect.Effect<boolean> =>
    audit.change(
      actor,
      action,
      Effect.map(change, (result) => ({
        result,
        target: result ? track.experiment.id : undefined,
        before: { status: track.state?.status },
        after: { ...describe(track.experiment), ...after }
      }))
    )

  const end = (actor: Actor, action: string, track: ExperimentTrack, ending: ExperimentEnd) =>
    changeState(
      actor,
      action,
      track,
      ending,
      store.end(track.experiment.id, track.state?.run ?? 1, ending)
    )

  /**
   * Whether the rest of the budget is too little for any skipped attempt. Reserved amounts count as free, because they
   * may be released.
   */
  const isTooLittleLeft = Effect.fnUntraced(function* (track: ExperimentTrack) {
    const { cheapestSkipped, experiment, state } = track
    const [limit] = toBudgetLimits(experiment, state?.run ?? 1)
    if (cheapestSkipped === undefined || limit === undefined) return false
    const { settled } = yield* ledger.getUsage(limit)
    if (settled + cheapestSkipped > limit.cap) return true
    track.cheapestSkipped = undefined
    return false
  })

  const judge = Effect.fnUntraced(function* (track: ExperimentTrack, hasServed: boolean) {
    const { experiment, state } = track
    if (experiment.mode !== "canary" || state?.status !== "running") return
    const isSpent = !hasServed && (yield* isTooLittleLeft(track))
    const ending = findEnd(experiment, state, isSpent, clock.currentTimeMillisUnsafe())
    if (ending === undefined) return
    const action = `experiment.${ending.status === "spent" ? "spend" : "roll_back"}`
    const isOurs = yield* end({ account: defaultAccountId }, action, track, ending)
    track.state = yield* store.open(experiment.id, ending.at)
    if (isOurs) {
      yield* Effect.logWarning(
        `The canary ${experiment.id} (${experiment.match.model} to ${experiment.to}) ended: ${ending.cause}`
      )
    }
  })

  /** Adds what was measured, and learns what others decided. What cannot be added now is added later. */
  const syncTrack = Effect.fnUntraced(function* (track: ExperimentTrack) {
    const { id } = track.experiment
    const now = clock.currentTimeMillisUnsafe()
    const measured = track.take()
    track.state =
      measured === undefined || track.state === undefined
        ? yield* store.open(id, now)
        : yield* Effect.onError(store.add(id, track.state.run, measured, now), () =>
            Effect.sync(() => track.add(measured))
          )
    yield* judge(track, (measured?.trial.requests ?? 0) > 0)
  })
  const sync = Effect.forEach(tracks, syncTrack, { discard: true })
  const syncSafely = Effect.catchCause(sync, (cause) =>
    Cause.hasInterruptsOnly(cause)
      ? Effect.void
      : Effect.logError("The experiments could not be stored; they are stored later", cause)
  )

  const find = (id: string): Effect.Effect<ExperimentTrack, ResourceNotFound> => {
    const track = tracks.find(({ experiment }) => experiment.id === id)
    return track === undefined
      ? Effect.fail(new ResourceNotFound({ resource: "experiment", id }))
      : Effect.succeed(track)
  }
  const toReport = (track: ExperimentTrack): Effect.Effect<ExperimentReport> =>
    Effect.map(
      Effect.tap(store.open(track.experiment.id, clock.currentTimeMillisUnsafe()), (state) =>
        Effect.sync(() => (track.state = state))
      ),
      (state) => ({ experiment: track.experiment, state })
    )

  // The state of a canary before a restart must be known before the first request.
  yield* syncSafely
  yield* syncSafely.pipe(Effect.delay(experimentSyncMillis), Effect.forever, Effect.forkScoped)
  yield* Effect.addFinalizer(() => syncSafely)

  return {
    list: Effect.andThen(
      sync,
      Effect.suspend(() => Effect.forEach(tracks, toReport))
    ),
    restart: Effect.fnUntraced(function* (actor: Actor, id: string) {
      const track = yield* find(id)
      const { run } = yield* Effect.map(toReport(track), ({ state }) => state)
      yield* changeState(
        actor,
        "experiment.restart",
        track,
        { status: "running" },
        store.restart(id, run, clock.currentTimeMillisUnsafe())
      )
      track.take()
      track.cheapestSkipped = undefined
      return yield* toReport(track)
    }),
    stop: Effect.fnUntraced(function* (actor: Actor, id: string) {
      const track = yield* find(id)
      yield* toReport(track)
      yield* end(actor, "experiment.stop", track, {
        status: "stopped",
        at: clock.currentTimeMillisUnsafe(),
        cause: "stopped by hand"
      })
      return yield* toReport(track)
    })
  }
})

const findEnd = (
  { budget }: Experiment,
  state: ExperimentState,
  isSpent: boolean,
  at: number
): ExperimentEnd | undefined => {
  const cause = findRollbackCause(getRecent(state))
  if (cause !== undefined) return { status: "rolled_back", at, cause }
  return isSpent || (budget !== undefined && state.total.trial.cost >= budget)
    ? { status: "spent", at, cause: "its budget is spent" }
    : undefined
}

const describe = ({ match, mode, to }: Experiment) => ({ mode, model: match.model, to })
