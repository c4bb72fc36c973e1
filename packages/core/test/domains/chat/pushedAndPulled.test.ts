/** An answer that is pushed is the answer that is pulled. */
import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as fc from "fast-check"
import { hostCaller } from "../../../src/tenants/auth/Caller.ts"
import { Chats } from "../../../src/domains/chat/Chats.ts"
import { makeChatEventWriter } from "../../../src/api/chat/chatHandlers.ts"
import { writeAnswer } from "../../../src/api/operation/JsonAnswer.ts"
import { doneEvent, toEvent } from "../../../src/api/operation/serverSentEvents.ts"
import type { ChatEvent, ChatEvents } from "../../../src/engine/upstreams/ChatCapability.ts"
import { UpstreamFailure } from "../../../src/engine/upstreams/failures/UpstreamFailure.ts"
import type { PushStream } from "../../../src/values/push/PushStream.ts"
import { fakeChatUpstream, endEvent, makeChatWorld, parseChat, textDelta } from "./chatFixtures.ts"

const parsed = parseChat({
  model: "a/b",
  messages: [{ role: "user", content: "Is it calm at sea tonight?" }],
  stream: true
})
const broken = new UpstreamFailure({ kind: "server_error", detail: "Ouch." })
const drain = { onTimeout: () => () => {} }

type Arrivals = ReadonlyArray<ReadonlyArray<ChatEvent>>

const pull = (arrivals: Arrivals, isBroken: boolean): ChatEvents =>
  Stream.concat(
    Stream.flatMap(Stream.fromIterable(arrivals), (events) =>
      Stream.concat(Stream.fromIterable(events), Stream.fromEffectDrain(Effect.yieldNow))
    ),
    isBroken ? Stream.fail(broken) : Stream.empty
  )

const push = (arrivals: Arrivals, isBroken: boolean): ChatEvents => {
  const source: PushStream<ChatEvent, UpstreamFailure> = {
    run: (take) =>
      Effect.andThen(
        Effect.forEach(arrivals, (events) => Effect.andThen(take(events), Effect.yieldNow), {
          discard: true
        }),
        isBroken ? Effect.fail(broken) : Effect.void
      )
  }
  return source
}

/** What the upstream answers next. */
let source: () => ChatEvents
const upstream = fakeChatUpstream("one", {})
const world = makeChatWorld({
  upstreams: [{ ...upstream, chat: { ...upstream.chat!, stream: () => source() } }]
})

/** The text that a client gets, without the id of the answer; undefined when its stream fails. */
const readText = (next: () => ChatEvents, isPulled: boolean, isSlow: boolean) =>
  Effect.gen(function* () {
    source = next
    const clock = yield* Clock.Clock
    const answer = yield* (yield* Chats).stream(hostCaller, parsed)
    let text = ""
    const write = (some: string): Effect.Effect<void> => {
      text += some
      return isSlow ? Effect.yieldNow : Effect.void
    }
    if (isPulled) {
      yield* Stream.runForEach(answer.chunks, (chunk) => write(toEvent(chunk)))
      text += doneEvent
    } else {
      const events = writeAnswer(answer.pieces, makeChatEventWriter(answer), {
        clock,
        drain,
        keepaliveMillis: 1_000
      })
      yield* events.run((texts) => write(texts.join("")))
    }
    return text.replaceAll(answer.id, "id")
  }).pipe(
    Effect.scoped,
    Effect.catch(() => Effect.succeed(undefined))
  )

const arrivals: fc.Arbitrary<Arrivals> = fc.array(
  fc.array(
    fc.string({ minLength: 1 }).map((text): ChatEvent => textDelta(text)),
    { minLength: 1, maxLength: 5 }
  ),
  { minLength: 1, maxLength: 40 }
)

/** Checks that all texts are the same. */
const checkSame = (
  readAll: (
    parts: Arrivals,
    isSlow: boolean
  ) => ReadonlyArray<Effect.Effect<string | undefined, never, Chats>>
) =>
  Effect.gen(function* () {
    const run = Effect.runPromiseWith(yield* Effect.context<Chats>())
    yield* Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(arrivals, fc.boolean(), async (parts, isSlow) => {
          const texts: Array<string | undefined> = []
          for (const each of readAll(parts, isSlow)) texts.push(await run(each))
          assert.isString(texts[0])
          assert.strictEqual(new Set(texts).size, 1)
        })
      )
    )
  }).pipe(Effect.provide(world))

describe("a streamed chat", () => {
  it.effect("is the same pushed or pulled, from either source, for fast and slow readers", () =>
    checkSame((parts, isSlow) => {
      const all: Arrivals = [...parts, [endEvent(3)]]
      return [pull, push].flatMap((start) =>
        [true, false].map((isPulled) => readText(() => start(all, false), isPulled, isSlow))
      )
    })
  )

  it.effect("breaks at the same event from either source", () =>
    checkSame((parts, isSlow) =>
      [pull, push].map((start) => readText(() => start(parts, true), false, isSlow))
    )
  )
})
