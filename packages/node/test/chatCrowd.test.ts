import type { ChatCapability } from "@signalbox/core/upstream"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { describe, expect, it } from "vitest"
import { chatRequest, end, said, startChattingBox } from "./chattingBox.ts"

const crowd = 200
/** A full queue of events, as many that were taken from it at once, and the one that does not fit. */
const ahead = 2 * 64 + 1

const asking = (content: string): string =>
  chatRequest({ messages: [{ role: "user", content }], stream: true })

const isWhole = (text: string): boolean => text.endsWith("data: [DONE]\n\n")

const eventsIn = (text: string): number => text.match(/^data: \{/gm)?.length ?? 0

/** Counts what is pulled of `count` events with this text. */
const counted = (count: number, text: string, pulled: () => void) =>
  Stream.concat(
    Stream.tap(Stream.range(1, count, 1), () => Effect.sync(pulled)).pipe(
      Stream.map(() => said(text))
    ),
    Stream.make(end)
  )

describe("two hundred streams at once", () => {
  it("are whole, and one that nobody reads makes its own provider wait alone", async () => {
    let pulled = 0
    let opened = 0
    const everybody = Deferred.makeUnsafe<void>()
    const stream: ChatCapability["stream"] = ({ messages: [message] }) => {
      if (message?.["content"] === "slow") {
        return counted(1_000, "x".repeat(100_000), () => {
          pulled++
        })
      }
      const rest = Stream.unwrap(
        Effect.as(
          Deferred.await(everybody),
          counted(50, "and so on", () => {})
        )
      )
      return Stream.concat(
        Stream.fromEffect(
          Effect.sync(() => {
            if (++opened === crowd - 1) Deferred.doneUnsafe(everybody, Effect.void)
            return said("first")
          })
        ),
        rest
      )
    }
    const { ask } = await startChattingBox(stream)
    const slow = await ask(asking("slow"))
    const texts = await Promise.all(
      Array.from({ length: crowd - 1 }, async () => (await ask(asking("fast"))).text())
    )
    expect(texts.every(isWhole)).toBe(true)
    expect(new Set(texts.map(eventsIn))).toEqual(new Set([52]))
    expect(pulled).toBeLessThan(500)
    const late = await slow.text()
    expect(isWhole(late)).toBe(true)
    expect(eventsIn(late)).toBe(1_001)
  }, 60_000)

  it("hold no more than two queues each while nobody reads them", async () => {
    const pulled: Array<number> = []
    const { box } = await startChattingBox(() => {
      const mine = pulled.push(0) - 1
      return counted(300, "and so on", () => {
        pulled[mine]! += 1
      })
    })
    const request = {
      model: "test/model",
      messages: [{ role: "user", content: "hello" }]
    } as const
    const streams = Array.from({ length: crowd }, () => {
      const answer = box.streamChat(request)
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
        { interval: 200, timeout: 60_000 }
      )
      .toBe(true)
    expect(pulled).toHaveLength(crowd)
    expect(Math.max(...pulled)).toBeLessThanOrEqual(ahead)
    const lengths = await Promise.all(streams.map(lengthOf))
    expect(new Set(lengths)).toEqual(new Set([300]))
  }, 60_000)
})

const lengthOf = async (stream: AsyncIterator<unknown>): Promise<number> => {
  let length = 0
  while ((await stream.next()).done !== true) length++
  return length
}
