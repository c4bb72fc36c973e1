import type { ChatCapability } from "@signalbox/core/upstream"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { describe, expect, it } from "vitest"
import { chatRequest, end, makeDelta, startChatInstance } from "./startChatInstance.ts"

const chunkCount = 200
/** A full queue of events, plus those taken from it at once, plus the one that does not fit. */
const maxBuffered = 2 * 64 + 1

const makeRequestInit = (content: string): string =>
  chatRequest({ messages: [{ role: "user", content }], stream: true })

const isComplete = (text: string): boolean => text.endsWith("data: [DONE]\n\n")

const parseEvents = (text: string): number => text.match(/^data: \{/gm)?.length ?? 0

/** Counts the pulled events out of `count` with this text. */
const repeatChunk = (count: number, text: string, pulled: () => void) =>
  Stream.concat(
    Stream.tap(Stream.range(1, count, 1), () => Effect.sync(pulled)).pipe(
      Stream.map(() => makeDelta(text))
    ),
    Stream.make(end)
  )

describe("two hundred concurrent streams", () => {
  it("are complete, and an unread one slows down only its own provider", async () => {
    let pulled = 0
    let opened = 0
    const allOpened = Deferred.makeUnsafe<void>()
    const stream: ChatCapability["stream"] = ({ conversation }) => {
      const [part] = Result.getOrThrow(conversation).turns[0]?.parts ?? []
      if (part?.type === "text" && part.text === "slow") {
        return repeatChunk(1_000, "x".repeat(100_000), () => {
          pulled++
        })
      }
      const rest = Stream.unwrap(
        Effect.as(
          Deferred.await(allOpened),
          repeatChunk(50, "and so on", () => {})
        )
      )
      return Stream.concat(
        Stream.fromEffect(
          Effect.sync(() => {
            if (++opened === chunkCount - 1) Deferred.doneUnsafe(allOpened, Effect.void)
            return makeDelta("first")
          })
        ),
        rest
      )
    }
    const { ask } = await startChatInstance(stream)
    const slow = await ask(makeRequestInit("slow"))
    const texts = await Promise.all(
      Array.from({ length: chunkCount - 1 }, async () =>
        (await ask(makeRequestInit("fast"))).text()
      )
    )
    expect(texts.every(isComplete)).toBe(true)
    expect(new Set(texts.map(parseEvents))).toEqual(new Set([52]))
    expect(pulled).toBeLessThan(500)
    const late = await slow.text()
    expect(isComplete(late)).toBe(true)
    expect(parseEvents(late)).toBe(1_001)
  })

  it("buffer at most two queues each while they are unread", async () => {
    const pulled: Array<number> = []
    const { instance } = await startChatInstance(() => {
      const mine = pulled.push(0) - 1
      return repeatChunk(300, "and so on", () => {
        pulled[mine]! += 1
      })
    })
    const request = {
      model: "test/model",
      messages: [{ role: "user", content: "hello" }]
    } as const
    const streams = Array.from({ length: chunkCount }, () => {
      const answer = instance.streamChat(request)
      return answer[Symbol.asyncIterator]()
    })
    await Promise.all(streams.map((stream) => stream.next()))
    let seen = ""
    await expect
      .poll(
        () => {
          const isStill = seen === pulled.join()
          seen = pulled.join()
          return isStill
        },
        { interval: 200, timeout: 240_000 }
      )
      .toBe(true)
    expect(pulled).toHaveLength(chunkCount)
    expect(Math.max(...pulled)).toBeLessThanOrEqual(maxBuffered)
    const lengths = await Promise.all(streams.map(measureLength))
    expect(new Set(lengths)).toEqual(new Set([300]))
  })
})

const measureLength = async (stream: AsyncIterator<unknown>): Promise<number> => {
  let length = 0
  while ((await stream.next()).done !== true) length++
  return length
}
