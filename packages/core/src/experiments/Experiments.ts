/**
 * Runs the host's experiments. Each process keeps what it measures and adds it to the store periodically, which is when
 * canaries are judged and when a process learns what others decided.
 */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import { Catalog } from "../catalog/Catalog.ts"
import { type Limit, resolveLimit } from "../ledger/Limit.ts"
import { LimitExceeded } from "../ledger/LedgerErrors.ts"
import { Audit } from "../observability/audit/Audit.ts"
import type { GenerationExperiment } from "../observability/generations/Generation.ts"
import type { RouteAttempt } from "../routing/attempt/RouteAttempt.ts"
import type { Operation } from "../routing/Operation.ts"
import type { RequestLabels } from "../routing/record/toGeneration.ts"
import type { CapabilityTraits, RouteObserver, RouteQuery } from "../routing/RouteQuery.ts"
import { Routing } from "../routing/Routing.ts"
import { RoutingRules } from "../routing/RoutingRules.ts"
import { Settings } from "../Settings.ts"
import type { Actor } from "../values/Actor.ts"
import { ResourceNotFound } from "../values/errors/RequestErrors.ts"
import { defaultAccountId } from "../values/ids/AccountId.ts"
import type { GenerationId } from "../values/ids/GenerationId.ts"
import { toArmMeasures } from "./toArmMeasures.ts"
import type { Experiment } from "./Experiment.ts"
import { addMeasures, emptyMeasures, type ExperimentMeasures } from "./ExperimentMeasures.ts"
import { type ExperimentEnd, type ExperimentState, getRecent } from "./ExperimentState.ts"
import { ExperimentStore } from "./ExperimentStore.ts"
import { findRollbackCause } from "./findRollbackCause.ts"
import { isDrawn } from "./isDrawn.ts"

/** An experiment and how it stands. */
export interface ExperimentReport {
  readonly experiment: Experiment
  readonly state: ExperimentState
}

/** A request that takes part in an experiment. */
export interface Participation<Capability extends CapabilityTraits> {
  /** What to route. */
  readonly query: RouteQuery<Capability>
  /** For the record; absent for a request that is only copied. */
  readonly label?: GenerationExperiment
  /** Whether `sendCopy` needs the answer. */
  readonly isShadowed: boolean
  /** Counts the request once it has ended. */
  readonly count: (attempts: ReadonlyArray<RouteAttempt>, startedAt: number) => void
  /**
   * Sends the request to the model on trial, after the caller has its answer. `agrees` compares the answers; undefined when
   * they cannot be compared. `timeoutMillis`: how long all attempts together may take; absent: `totalTimeoutMillis`.
   */
  readonly sendCopy: <A>(
    operation: Operation<Capability, A, HttpClient.HttpClient>,
    agrees: (value: A) => boolean | undefined,
    timeoutMillis?: number
  ) => void
}

/** What runs the experiments of a host. */
export interface ExperimentsShape {
  /** Undefined for a request that takes part in none. */
  readonly enter: <Capability extends CapabilityTraits>(
    query: RouteQuery<Capability>,
    labels: RequestLabels,
    id: GenerationId
  ) => Participation<Capability> | undefined
  /** Every experiment, in the order of the option, with everything that this process has measured. */
  readonly list: Effect.Effect<ReadonlyArray<ExperimentReport>>
  /** Starts an experiment anew that has ended, with its whole budget; one that runs stays as it is. */
  readonly restart: (actor: Actor, id: string) => Effect.Effect<ExperimentReport, ResourceNotFound>
  /** Ends an experiment that runs; one that has ended stays as it is. */
  readonly stop: (actor: Actor, id: string) => Effect.Effect<ExperimentReport, ResourceNotFound>
}

const findNothing = (_: Actor, id: string) =>
  Effect.fail(new ResourceNotFound({ resource: "experiment", id }))

const noExperiments: ExperimentsShape = {
  enter: () => undefined,
  list: Effect.succeed([]),
  restart: findNothing,
  stop: findNothing
}

/** The experiments of `Options.experiments`, or none. */
export const Experiments: Context.Reference<ExperimentsShape> = Context.Reference(
  "@signalbox/core/experiments/Experiments",
  { defaultValue: () => noExperiments }
)

const makeExperiments = Effect.fnUntraced(function* (experiments: ReadonlyArray<Experiment>) {
  const audit = yield* Audit
  const catalog = yield* Catalog
  const client = yield* HttpClient.HttpClient
  const clock = yield* Clock.Clock
  const routing = yield* Routing
  const { failureRules } = yield* RoutingRules
  const { experimentSyncMillis, maxShadowRequests, totalTimeoutMillis } = yield* Settings
  const store = yield* ExperimentStore
  const scope = yield* Effect.scope
  const context = yield* Effect.context()

  const tracks = experiments.map((experiment) => new ExperimentTrack(experiment))
  let copies = 0

  /** The experiments that a request may take part in, with the models of both sides. */
  const findMatches = (query: RouteQuery<CapabilityTraits>): ReadonlyArray<ExperimentMatch> => {
    const configuration = catalog.current()
    const requested = configuration.resolve(query.models[0])?.model.id
    if (requested === undefined) return []
    return tracks.flatMap((track) => {
      const { match, to } = track.experiment
      const { account = query.caller.account, operation = query.operation } = match
      // A model that has left the catalog must not fail a request.
      const trial = configuration.resolve(to)?.model.id
      return trial !== undefined &&
        track.state?.status === "running" &&
        operation === query.operation &&
        account === query.caller.account &&
        configuration.resolve(match.model)?.model.id === requested
        ? [{ track, requested, trial }]
        : []
    })
  }

  const measure = (model: string, attempts: ReadonlyArray<RouteAttempt>, startedAt: number) =>
    toArmMeasures(model, attempts, startedAt, { failureRules, totalTimeoutMillis })

  const makeCanary = <Capability extends CapabilityTraits>(
    { requested, track, trial }: ExperimentMatch,
    query: RouteQuery<Capability>,
    isOnTrial: boolean
  ): Participation<Capability> => ({
    query: isOnTrial ? { ...query, models: [track.experiment.to, ...query.models] } : query,
    label: { id: track.experiment.id, arm: isOnTrial ? "canary" : "control" },
    isShadowed: false,
    count: (attempts, startedAt) => {
      const measured = measure(isOnTrial ? trial : requested, attempts, startedAt)
      if (measured !== undefined) track.add(isOnTrial ? { trial: measured } : { control: measured })
    },
    sendCopy: () => undefined
  })

  const makeShadow = <Capability extends CapabilityTraits>(
    match: ExperimentMatch,
    query: RouteQuery<Capability>
  ): Participation<Capability> => ({
    query,
    isShadowed: true,
    count: (attempts, startedAt) => {
      const control = measure(match.requested, attempts, startedAt)
      if (control !== undefined) match.track.add({ control })
    },
    sendCopy: (operation, agrees, timeoutMillis) => {
      if (copies >= maxShadowRequests) return match.track.add({ skipped: 1 })
      copies += 1
      const running = Effect.runForkWith(context)(
        Effect.yieldNow.pipe(
          Effect.andThen(
            Effect.suspend(() =>
              runCopy(match, toCopy(match, query, timeoutMillis), operation, agrees)
            )
          ),
          Effect.ensuring(Effect.sync(() => (copies -= 1)))
        )
      )
      Fiber.runIn(running, scope)
    }
  })

  const runCopy = <Capability extends CapabilityTraits, A>(
    { track, trial }: ExperimentMatch,
    copy: RouteQuery<Capability>,
    operation: Operation<Capability, A, HttpClient.HttpClient>,
    agrees: (value: A) => boolean | undefined
  ): Effect.Effect<void> => {
    const startedAt = clock.currentTimeMillisUnsafe()
    const attempts: Array<RouteAttempt> = []
    const observer: RouteObserver = {
      onPlan: () => undefined,
      onAttempt: (attempted) => void attempts.push(attempted)
    }
    return routing.route(copy, operation, observer).pipe(
      Effect.provideService(HttpClient.HttpClient, client),
      Effect.exit,
      Effect.map((exit) => {
        const measured = measure(trial, attempts, startedAt)
        const agreed = Exit.isSuccess(exit) ? agrees(exit.value.value) : undefined
        track.add({
          ...(measured === undefined ? undefined : { trial: measured }),
          ...(agreed === undefined ? undefined : { compared: 1, agreed: agreed ? 1 : 0 }),
          ...(isUnpaid(exit) ? { skipped: 1 } : undefined)
        })
        return exit
      }),
      Effect.flatMap((exit) =>
        Exit.isFailure(exit) && Cause.hasDies(exit.cause)
          ? Effect.logError("A shadow request failed", exit.cause)
          : Effect.void
      )
    )
  }

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

  const judge = Effect.fnUntraced(function* (track: ExperimentTrack) {
    const { experiment, state } = track
    if (experiment.mode !== "canary" || state?.status !== "running") return
    const ending = findEnd(experiment, state, clock.currentTimeMillisUnsafe())
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
    yield* judge(track)
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
      ? findNothing({ account: defaultAccountId }, id)
      : Effect.succeed(track)
  }
  const toReport = (track: ExperimentTrack): Effect.Effect<ExperimentReport> =>
    Effect.map(
      Effect.tap(store.open(track.experiment.id, clock.currentTimeMillisUnsafe()), (state) =>
        Effect.sync(() => (track.state = state))
      ),
      (state) => ({ experiment: track.experiment, state })
    )

  // What a canary did before a restart of the process must be known before the first request.
  yield* syncSafely
  yield* syncSafely.pipe(Effect.delay(experimentSyncMillis), Effect.forever, Effect.forkScoped)
  yield* Effect.addFinalizer(() => syncSafely)

  const made: ExperimentsShape = {
    enter: (query, labels, id) => {
      const conversation = labels.session_id ?? labels.user ?? id
      const matches = findMatches(query)
      const isIn = ({ track: { experiment } }: ExperimentMatch) =>
        isDrawn(experiment.id, experiment.share, query.caller.account, conversation)
      const canary = matches.find(({ track }) => track.experiment.mode === "canary")
      if (canary !== undefined && isIn(canary)) return makeCanary(canary, query, true)
      const control = canary && makeCanary(canary, query, false)
      const shadow = matches.find(
        (match) => match.track.experiment.mode === "shadow" && isIn(match)
      )
      if (shadow === undefined) return control
      const copied = makeShadow(shadow, query)
      return control === undefined
        ? copied
        : {
            ...control,
            ...copied,
            count: (attempts, startedAt) => {
              copied.count(attempts, startedAt)
              control.count(attempts, startedAt)
            }
          }
    },
    list: Effect.andThen(
      sync,
      Effect.suspend(() => Effect.forEach(tracks, toReport))
    ),
    restart: Effect.fnUntraced(function* (actor, id) {
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
      return yield* toReport(track)
    }),
    stop: Effect.fnUntraced(function* (actor, id) {
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
  return made
})

/** Runs experiments, whose ids are unique. */
export const layerExperiments = (experiments: ReadonlyArray<Experiment>) =>
  Layer.effect(
    Experiments,
    experiments.length === 0 ? Effect.succeed(noExperiments) : makeExperiments(experiments)
  )

/** An experiment that a request matches. */
interface ExperimentMatch {
  readonly track: ExperimentTrack
  /** The id of the requested model. */
  readonly requested: string
  /** The id of the model on trial. */
  readonly trial: string
}

/** One experiment in this process. */
class ExperimentTrack {
  readonly experiment: Experiment
  /** As the store last said; undefined until it has, and then nobody takes part. */
  state: ExperimentState | undefined = undefined
  #measured: ExperimentMeasures | undefined = undefined

  constructor(experiment: Experiment) {
    this.experiment = experiment
  }

  add(measured: Partial<ExperimentMeasures>): void {
    this.#measured = addMeasures(this.#measured ?? emptyMeasures, { ...emptyMeasures, ...measured })
  }

  /** What has not been stored; it is forgotten here. */
  take(): ExperimentMeasures | undefined {
    const measured = this.#measured
    this.#measured = undefined
    return measured
  }
}

const findEnd = (
  { budget }: Experiment,
  state: ExperimentState,
  at: number
): ExperimentEnd | undefined => {
  const cause = findRollbackCause(getRecent(state))
  if (cause !== undefined) return { status: "rolled_back", at, cause }
  return budget !== undefined && state.total.trial.cost >= budget
    ? { status: "spent", at, cause: "its budget is spent" }
    : undefined
}

/**
 * The request for the model on trial. It continues no conversation, because those of callers must neither follow it nor count
 * it, and it is not hedged, because nobody waits for it.
 */
const toCopy = <Capability extends CapabilityTraits>(
  { track: { experiment, state } }: ExperimentMatch,
  query: RouteQuery<Capability>,
  timeoutMillis: number | undefined
): RouteQuery<Capability> => {
  const { conversation: _, ...rest } = query
  return {
    ...rest,
    models: [experiment.to],
    preferences: { ...query.preferences, hedge: false },
    chargedTo: toLimits(experiment, state?.run ?? 1),
    ...(timeoutMillis === undefined ? undefined : { timeoutMillis })
  }
}

/** Each run has its own budget. */
const toLimits = ({ budget, id }: Experiment, run: number): ReadonlyArray<Limit> =>
  budget === undefined
    ? []
    : [
        resolveLimit(0, {
          kind: "experiment",
          id: `${id}/${run}`,
          interval: "lifetime",
          cap: budget,
          countsByok: true
        })
      ]

const isUnpaid = (exit: Exit.Exit<unknown, unknown>): boolean =>
  Exit.isFailure(exit) &&
  exit.cause.reasons.some(
    (reason) => Cause.isFailReason(reason) && reason.error instanceof LimitExceeded
  )

const describe = ({ match, mode, to }: Experiment) => ({ mode, model: match.model, to })
