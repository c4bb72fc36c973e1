/** Passes requests that have ended to their sinks, as their workspaces configure it: the one way out of the process for all kinds. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import type { GenerationId } from "../../../values/ids/GenerationId.ts"
import { evaluate, isSuccess } from "../../../values/eager.ts"
import { Settings } from "../../../instance/Settings.ts"
import type { Alert } from "../alerts/Alert.ts"
import { type Destination, makeBroadcastSink } from "./Broadcast.ts"
import { type IoDestination, makeIoLogSink } from "./IoLog.ts"
import {
  type ObservabilityPreference,
  ObservabilityPreferences
} from "./ObservabilityPreferences.ts"
import type { OutboxReport } from "./Outbox.ts"
import type { DispatchedGeneration, Sink, SinkMaker } from "./Sink.ts"

/** How a sink stands. */
export interface SinkReport extends OutboxReport {
  /** Such as `broadcast_1` or `io_log`. */
  readonly name: string
}

/** The kinds of sinks of an instance. */
interface PipelineOptions<R> {
  readonly broadcast?: ReadonlyArray<Destination> | undefined
  readonly ioLog?: IoDestination | undefined
  /** Sinks of higher layers. */
  readonly others?: ReadonlyArray<SinkMaker<R>>
}

/** Passes generations and alerts to the sinks of an instance. */
export class Pipeline extends Context.Service<
  Pipeline,
  {
    /** Whether the host has an I/O log; without one, and where nothing is kept, callers need not keep content. */
    readonly isIoLogEnabled: boolean
    /** Never fails and waits for no preferences; a generation whose preferences cannot be loaded is dropped. */
    readonly dispatch: (ended: DispatchedGeneration) => void
    /** Whether a sink receives alerts. */
    readonly receivesAlerts: boolean
    /** Queues an alert for every sink that receives alerts. Never waits and never fails. */
    readonly offerAlert: (alert: Alert) => void
    /** Waits until the sink of that name has delivered, dropped or failed at everything that was dispatched before. */
    readonly flush: (name: string) => Effect.Effect<void>
    /** One report for each sink, in order. */
    readonly report: () => ReadonlyArray<SinkReport>
  }
>()("@signalbox/core/engine/observability/broadcast/Pipeline") {
  static readonly layer = <R = never>({
    broadcast = [],
    ioLog,
    others = []
  }: PipelineOptions<R>): Layer.Layer<
    Pipeline,
    never,
    ObservabilityPreferences | Exclude<R, Scope.Scope>
  > =>
    Layer.effect(
      Pipeline,
      Effect.gen(function* () {
        const preferences = yield* ObservabilityPreferences
        const { maxQueuedBroadcasts } = yield* Settings
        // Closed in parallel, so that several hanging sinks delay the shutdown no longer than one.
        const all = yield* Scope.fork(yield* Effect.scope, "parallel")
        const sinks: ReadonlyArray<Sink> = yield* Effect.forEach(
          [
            ...broadcast.map((destination, index) => makeBroadcastSink(destination, index + 1)),
            ...(ioLog === undefined ? [] : [makeIoLogSink(ioLog)]),
            ...others
          ],
          (make) => Effect.flatMap(Scope.fork(all), (scope) => Scope.provide(make, scope))
        )
        const scope = yield* Effect.scope
        const run = Effect.runForkWith(yield* Effect.context())
        const slots = yield* Semaphore.make(maxQueuedBroadcasts)
        const runIfAvailable = slots.withPermitsIfAvailable(1)
        const alerted = sinks.flatMap(({ offerAlert }) => offerAlert ?? [])
        const loading = new Set<Fiber.Fiber<unknown>>()

        const offer = (ended: DispatchedGeneration, preference: ObservabilityPreference): void => {
          for (const sink of sinks) sink.offer(ended, preference)
        }

        /** Dispatches once the preferences are loaded. */
        const dispatchLater = (
          ended: DispatchedGeneration,
          loadPreference: Effect.Effect<ObservabilityPreference>
        ): void => {
          const { id } = ended.generation
          const offered = runIfAvailable(
            Effect.map(loadPreference, (preference) => offer(ended, preference))
          ).pipe(
            Effect.tap((offered) => (Option.isNone(offered) ? logDropped(id) : Effect.void)),
            Effect.catchCause((cause) =>
              Effect.logError(`The observability preferences for ${id} could not be loaded`, cause)
            )
          )
          // A generation already answered is dispatched even while the instance closes.
          const fiber = run(offered, { uninterruptible: true })
          if (fiber.pollUnsafe() !== undefined) return
          loading.add(fiber)
          fiber.addObserver(() => loading.delete(fiber))
          Fiber.runIn(fiber, scope)
        }

        return {
          isIoLogEnabled: ioLog !== undefined,
          dispatch: (ended) => {
            if (sinks.length === 0) return
            const { account, workspace } = ended.generation
            const loaded = evaluate(() => preferences.get(account, workspace))
            if (isSuccess(loaded)) offer(ended, loaded.value)
            else dispatchLater(ended, loaded)
          },
          receivesAlerts: alerted.length > 0,
          offerAlert: (alert) => {
            for (const offerAlert of alerted) offerAlert(alert)
          },
          flush: (name) =>
            Effect.suspend(() =>
              Effect.andThen(
                Fiber.awaitAll(loading),
                Effect.forEach(sinks, (sink) => (sink.name === name ? sink.flush : Effect.void), {
                  discard: true
                })
              )
            ),
          report: () => sinks.map(({ name, report }) => ({ name, ...report() }))
        }
      })
    )
}

const logDropped = (id: GenerationId): Effect.Effect<void> =>
  Effect.logWarning(
    `${id} was not dispatched: too many generations wait for the preferences of their workspaces`
  )
