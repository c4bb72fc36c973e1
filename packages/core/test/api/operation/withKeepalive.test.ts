import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { fromStream } from "../../../src/values/push/PushStream.ts"
import { toStream } from "../../../src/values/push/toStream.ts"
import { withKeepalive } from "../../../src/api/operation/withKeepalive.ts"

const keepalive = ": keepalive\n\n"

/** A drain whose timeout the test decides, and whether a stream still listens to it. */
const makeDrain = () => {
  const listeners = new Set<() => void>()
  return {
    listeners,
    drain: {
      onTimeout: (listener: () => void) => {
        listeners.add(listener)
        return () => void listeners.delete(listener)
      }
    },
    timeOut: () => {
      for (const listener of listeners) listener()
    }
  }
}

/** The pulled texts of events that are pulled. */
const read = <E>(events: Stream.Stream<string, E>, drain = makeDrain().drain) =>
  Stream.unwrap(
    Effect.map(Clock.Clock, (clock) =>
      toStream(withKeepalive(fromStream(events), { clock, keepaliveMillis: 100, drain }))
    )
  )

const collect = <E>(events: Stream.Stream<string, E>, drain = makeDrain().drain) =>
  Stream.runCollect(read(events, drain))

describe("withKeepalive", () => {
  it.effect("passes events on in their order", () =>
    Effect.gen(function* () {
      const events = Array.from({ length: 1_000 }, (_, index) => `${index}`)
      const stream = Stream.rechunk(Stream.fromIterable(events), 3)
      assert.deepStrictEqual(yield* collect(stream), events)
    })
  )

  it.effect("sends a comment after each period of silence, and none between", () =>
    Effect.gen(function* () {
      const stream = Stream.concat(
        Stream.make("first"),
        Stream.fromEffect(Effect.as(Effect.sleep(250), "second"))
      )
      const fiber = yield* Effect.forkChild(collect(stream))
      for (let millis = 0; millis < 300; millis += 10) yield* TestClock.adjust(10)
      assert.deepStrictEqual(yield* Fiber.join(fiber), ["first", keepalive, keepalive, "second"])
    })
  )

  it.effect("fails with the failure of the events, after all of them", () =>
    Effect.gen(function* () {
      const seen: Array<string> = []
      const stream = Stream.concat(Stream.make("first", "second"), Stream.fail("broken"))
      const failure = yield* read(stream).pipe(
        Stream.runForEach((event) => Effect.sync(() => void seen.push(event))),
        Effect.flip
      )
      assert.deepStrictEqual([seen, failure], [["first", "second"], "broken"])
    })
  )

  it.effect("ends a stream in silence when the drain times out, and stops listening", () =>
    Effect.gen(function* () {
      const { drain, listeners, timeOut } = makeDrain()
      const fiber = yield* Effect.forkChild(Effect.flip(collect(Stream.never, drain)))
      yield* TestClock.adjust(10)
      timeOut()
      assert.strictEqual((yield* Fiber.join(fiber))._tag, "Draining")
      assert.strictEqual(listeners.size, 0)
    })
  )

  it.effect("ends a stream whose provider is faster than its reader when the drain times out", () =>
    Effect.gen(function* () {
      const { drain, timeOut } = makeDrain()
      let count = 0
      const failure = yield* read(
        Stream.forever(Stream.fromEffect(Effect.as(Effect.yieldNow, "event"))),
        drain
      ).pipe(
        Stream.runForEach(() => {
          count++
          // In the turn of the reader, while the next event is on its way.
          if (count === 5) timeOut()
          return count > 100 ? Effect.die("the stream goes on") : repeatYield
        }),
        Effect.flip
      )
      assert.strictEqual(failure._tag, "Draining")
    })
  )
})

/** Gives the provider time to get ahead. */
const repeatYield = Effect.asVoid(Effect.all(Array.from({ length: 20 }, () => Effect.yieldNow)))
