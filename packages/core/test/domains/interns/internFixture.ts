/** An instance with a scripted host of interns, under a test clock. */
import { ScriptedInternHost, type ScriptedInternHostOptions } from "@signalbox/testing"
import * as Digest from "effect/crypto/Digest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import type * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { setTimeout } from "node:timers/promises"
import { type Caller, hostCaller } from "../../../src/tenants/auth/Caller.ts"
import { Interns } from "../../../src/domains/interns/Interns.ts"
import type { InternStatus } from "../../../src/domains/interns/InternStatus.ts"
import { layer, type Services } from "../../../src/layer.ts"
import type { Options } from "../../../src/Options.ts"
import type { Stores } from "../../../src/domains.ts"
import { OutboundHttp } from "../../../src/engine/outbound/OutboundHttp.ts"
import { UserId } from "../../../src/values/ids/Ids.ts"
import { settle as settleTurns } from "../../settle.ts"
import { type Jumps, layerJumpingTestClock } from "../../withJumps.ts"

export const ann: Caller = { ...hostCaller, kind: "member", user: UserId.make("ann") }
export const bob: Caller = { ...ann, user: UserId.make("bob") }

interface FixtureOptions extends ScriptedInternHostOptions {
  readonly options?: Partial<Options>
  /** The stores; default: new stores in memory. */
  readonly stores?: Layer.Layer<Stores, Error>
}

const platform = Layer.mergeAll(
  Digest.layerWebCrypto,
  OutboundHttp.layerNone,
  Layer.succeed(
    HttpClient.HttpClient,
    HttpClient.make(() => Effect.die("no network"))
  )
)

const makeInstance = (host: ScriptedInternHost, options: Partial<Options> = {}) =>
  layer({
    upstreams: [],
    models: [],
    sealing: { current: "k", keys: { k: Buffer.alloc(32, 7).toString("base64") } },
    interns: { host: host.host },
    ...options
  }).pipe(Layer.provide(platform))

export const withInternFixture = (
  test: (host: ScriptedInternHost) => Effect.Effect<void, unknown, Jumps | Services | Scope.Scope>,
  { options = {}, stores, ...traits }: FixtureOptions = {}
): Promise<void> => {
  const scripted = new ScriptedInternHost(traits)
  const instance = makeInstance(scripted, {
    ...options,
    ...(stores === undefined ? undefined : { stores })
  })
  return Effect.runPromise(
    test(scripted).pipe(
      Effect.scoped,
      Effect.provide(Layer.provideMerge(instance, [layerJumpingTestClock, Logger.layer([])]))
    )
  )
}

/** Runs everything that needs no time. */
export const settle = Effect.promise(() => settleTurns(30))

/** Runs everything that is due, second by second. */
export const elapse = Effect.fnUntraced(function* (seconds: number) {
  for (let second = 0; second < seconds; second++) {
    yield* settle
    yield* TestClock.adjust("1 second")
  }
  yield* settle
})

/**
 * Advances time until `isSo` is true. Background computation takes real time that the test clock
 * does not show, and the queue of a database uses the clock of the database.
 */
export const waitUntil = Effect.fnUntraced(function* <E, R>(isSo: Effect.Effect<boolean, E, R>) {
  for (let second = 0; second < 1_000; second++) {
    if (yield* isSo) return
    yield* elapse(1)
    if (second > 20) yield* Effect.promise(() => setTimeout(20))
  }
  return yield* Effect.die(new Error("it was never so"))
})

/** The result of a fiber that may take any time. */
export const awaitFiber = <A, E>(fiber: Fiber.Fiber<A, E>) =>
  Effect.andThen(waitUntil(Effect.sync(() => fiber.pollUnsafe() !== undefined)), Fiber.join(fiber))

/** Waits until the intern has the status. */
export const waitForStatus = (id: string, status: InternStatus) =>
  waitUntil(
    Effect.map(find(id), (intern) => intern.status === status && intern.claim === undefined)
  )

/** Waits until the intern no longer exists. */
export const waitUntilRemoved = (id: string) =>
  waitUntil(
    Effect.match(find(id), {
      onSuccess: () => false,
      onFailure: ({ _tag }) => _tag === "ResourceNotFound"
    })
  )

export const create = (
  request: Partial<Parameters<Interns["Service"]["create"]>[1]> = {},
  { by = ann, key }: { readonly by?: Caller; readonly key?: string } = {}
) => Interns.use((interns) => interns.create(by, { name: "ida", ...request }, key))

export const find = (id: string, by: Caller = ann) => Interns.use((interns) => interns.get(by, id))
export const provision = (id: string) => Interns.use((interns) => interns.provision(ann, id))
export const suspend = (id: string) => Interns.use((interns) => interns.suspend(ann, id))
export const destroy = (id: string, acknowledgesLoss = false) =>
  Interns.use((interns) => interns.destroy(ann, id, { acknowledgesLoss }))
export const list = (limit = 100) =>
  Interns.use((interns) => interns.list(ann, undefined, { limit }))
