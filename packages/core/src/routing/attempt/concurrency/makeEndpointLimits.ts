/** Bounds how many requests an endpoint runs in parallel, and lets others wait for it. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Metric from "effect/Metric"
import { ParallelSlots, type ReleaseSlot } from "../../../tenants/auth/rateLimits/ParallelSlots.ts"
import type { Caller } from "../../../tenants/auth/Caller.ts"
import { startTimer } from "../../../values/startTimer.ts"
import type { OperationName } from "../../../values/OperationName.ts"
import * as Step from "../../../values/Step.ts"
import { type Candidate, isByok } from "../../Candidate.ts"
import type { CapabilityTraits, RouteQuery } from "../../RouteQuery.ts"
import { EndpointBusy } from "../../RoutingErrors.ts"
import { RoutingRules } from "../../RoutingRules.ts"
import { RequestQueue, toHolder, toQueuedRequest, type Waiter } from "./RequestQueue.ts"

/** A place at an endpoint. */
export interface Granted {
  readonly candidate: Candidate
  readonly release: ReleaseSlot
}

/** The parallel requests of an endpoint. */
export interface EndpointRoom {
  readonly limit: number
  /** Requests of this process that run there. */
  readonly running: number
  /** Requests of this process that wait for it. */
  readonly waiting: number
  /** What would happen to another request. */
  readonly now: "runs" | "waits" | "refused"
}

const toSlotKey = ({ id }: Candidate): string => `slots:endpoint:${id}`

/** How many requests wait. */
export const waitingRequests = Metric.gauge("signalbox_queue_waiting", {
  attributes: { queue: "requests" }
})

/**
 * Undefined: as many as come. Customers' own credentials have limits of their own, and a video is made long after its job was
 * accepted.
 */
const findLimit = (candidate: Candidate, operation?: OperationName): number | undefined =>
  operation === "videos" || isByok(candidate) ? undefined : candidate.endpoint.maxParallelRequests

/** Made once for an engine. */
export const makeEndpointLimits = Effect.gen(function* () {
  const slots = yield* ParallelSlots
  const { requestQueue } = yield* RoutingRules
  const clock = yield* Clock.Clock
  const context = yield* Effect.context()
  const queue = new RequestQueue<Granted>()
  const hasWaiters = yield* Latch.make()

  const updateGauge = (): void => waitingRequests.updateUnsafe(queue.size, context)

  /** Undefined when the endpoint has no room. */
  const take = (candidate: Candidate, limit: number, holder: () => string) =>
    Step.map(slots.take(toSlotKey(candidate), limit), (release) => {
      if (release === undefined) return undefined
      const end = queue.begin(candidate.id, holder())
      return (): Effect.Effect<void> => {
        end()
        return Step.flatMap(release(), () => serveNext(candidate))
      }
    })

  /** Gives the endpoint to a request that waits for it, if it has room. */
  const serveNext = (candidate: Candidate): Effect.Effect<void> => {
    const next = queue.findNext(candidate.id)
    const limit = findLimit(candidate)
    if (next === undefined || limit === undefined) return Effect.void
    // While a shared store is asked, that request may be aborted, or another come that goes first.
    const findNext = () => queue.findNext(candidate.id)
    let served: Waiter<Granted> | undefined
    return Step.flatMap(
      take(candidate, limit, () => (served = findNext())?.holder ?? next.holder),
      (release): Effect.Effect<void> => {
        if (release === undefined) return Effect.void
        if (served === undefined) return release()
        queue.remove(served)
        updateGauge()
        served.grant({ candidate, release })
        return serveNext(candidate)
      }
    )
  }

  // Other processes do not announce that they have given a slot back.
  const serveAwaited = Effect.gen(function* () {
    yield* Effect.sleep(pollMillis)
    for (const candidate of queue.listAwaited()) yield* Effect.uninterruptible(serveNext(candidate))
    if (queue.size === 0) hasWaiters.closeUnsafe()
  })
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(hasWaiters.await, serveAwaited)))

  return {
    findLimit,

    /** What a request would find at the endpoint now, as far as this process knows; undefined: as many run as come. */
    findRoom: (candidate: Candidate, operation: OperationName): EndpointRoom | undefined => {
      const limit = findLimit(candidate, operation)
      if (limit === undefined) return undefined
      const running = slots.countHeld(toSlotKey(candidate))
      const waiting = queue.countWaiting(candidate.id)
      const hasRoom = waiting === 0 && running < limit
      const canWait = requestQueue !== undefined && queue.size < requestQueue.maxLength
      return { limit, running, waiting, now: hasRoom ? "runs" : canWait ? "waits" : "refused" }
    },

    /** Whether requests wait for an endpoint that has no room. */
    canWait: requestQueue !== undefined,

    /** Runs an attempt if the endpoint has room. */
    run: <A, E, R>(
      candidate: Candidate,
      limit: number,
      { caller, models }: { readonly caller: Caller; readonly models: ReadonlyArray<string> },
      attempt: () => Effect.Effect<A, E, R>
    ): Effect.Effect<A, E | EndpointBusy, R> => {
      const busy = new EndpointBusy({ models, limit })
      // Those that wait come first.
      if (queue.findNext(candidate.id) !== undefined) return Effect.fail(busy)
      return Effect.uninterruptibleMask((restore) =>
        Effect.flatMap(
          take(candidate, limit, () => toHolder(caller)),
          (release): Effect.Effect<A, E | EndpointBusy, R> =>
            release === undefined
              ? Effect.fail(busy)
              : Effect.onExit(restore(Effect.suspend(attempt)), release)
        )
      )
    },

    /**
     * Waits for the first of the candidates that has room, for at most `millis`, and runs an attempt there. An interruption
     * leaves the queue.
     */
    waitAndRun: <Capability extends CapabilityTraits, A, E, R>(
      query: RouteQuery<Capability>,
      candidates: ReadonlyArray<Candidate>,
      millis: number,
      attempt: (candidate: Candidate) => Effect.Effect<A, E, R>,
      /** Called at the end of the wait, however it ends. */
      onEnd: () => void
    ): Effect.Effect<A, E | EndpointBusy, R> =>
      Effect.suspend(() => {
        const toBusy = (queue: "full" | "timeout") =>
          new EndpointBusy({
            models: query.models,
            limit: candidates.reduce((sum, each) => sum + (findLimit(each) ?? 0), 0),
            queue
          })
        const { maxLength, maxWaitMillis, priority } = requestQueue!
        if (queue.size >= maxLength) return Effect.fail(toBusy("full"))
        const asked = priority(toQueuedRequest(query))
        let granted: Granted | undefined
        const waiting = Effect.callback<Granted, EndpointBusy>((resume) => {
          const waiter: Waiter<Granted> = {
            holder: toHolder(query.caller),
            priority: Number.isFinite(asked) ? asked : 0,
            candidates,
            grant: (given) => {
              granted = given
              timer.stop()
              resume(Effect.succeed(given))
            }
          }
          const leave = (): void => {
            timer.stop()
            queue.remove(waiter)
            updateGauge()
          }
          const timer = startTimer(clock, Math.min(maxWaitMillis, millis), () => {
            leave()
            resume(Effect.fail(toBusy("timeout")))
          })
          queue.add(waiter)
          updateGauge()
          hasWaiters.openUnsafe()
          return Effect.sync(leave)
        }).pipe(Effect.onExit(() => Effect.sync(onEnd)))
        return Effect.uninterruptibleMask((restore) =>
          restore(waiting).pipe(
            // It may have been granted in the same turn.
            Effect.onInterrupt(() => granted?.release() ?? Effect.void),
            Effect.flatMap(({ candidate, release }) =>
              Effect.onExit(restore(Effect.suspend(() => attempt(candidate))), release)
            )
          )
        )
      })
  }
})

/** Time between two looks for slots that other processes have given back. */
const pollMillis = 250
