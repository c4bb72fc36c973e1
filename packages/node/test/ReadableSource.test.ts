import { once } from "node:events"
import { setImmediate } from "node:timers/promises"
import { PassThrough } from "node:stream"
import { expect, it } from "vitest"
import { ReadableSource } from "../src/ReadableSource.ts"

/** Reads `readable` from now on, and records what is pushed. */
const read = (readable: PassThrough) => {
  const seen: Array<string> = []
  const source = new ReadableSource(readable)
  source.start({
    push: (chunk) => seen.push(Buffer.from(chunk).toString()),
    end: () => seen.push("end"),
    fail: () => seen.push("failure")
  })
  return { seen, source }
}

/** The end comes at the end of the turn in which the stream has ended. */
const endTurn = async (): Promise<void> => {
  await setImmediate()
  await setImmediate()
}

const countListeners = (readable: PassThrough) =>
  ["data", "end", "error", "close"].map((event) => readable.listenerCount(event))

it("pushes chunks as they arrive, and the end", async () => {
  const readable = new PassThrough()
  const { seen } = read(readable)
  readable.write("a")
  await setImmediate()
  readable.end("b")
  await endTurn()
  expect(seen).toEqual(["a", "b", "end"])
})

it("pushes nothing while it is paused", async () => {
  const readable = new PassThrough()
  const { seen, source } = read(readable)
  readable.write("a")
  await setImmediate()
  source.pause()
  readable.end("b")
  await setImmediate()
  expect(seen).toEqual(["a"])
  source.resume()
  await endTurn()
  expect(seen).toEqual(["a", "b", "end"])
})

it("reads a stream that a hook has paused", async () => {
  const readable = new PassThrough()
  readable.pause()
  const { seen } = read(readable)
  readable.end("a")
  await endTurn()
  expect(seen).toEqual(["a", "end"])
})

it("pushes the end in the same turn, and never once it is stopped", async () => {
  const [one, other] = [new PassThrough(), new PassThrough()]
  const [kept, stopped] = [read(one), read(other)]
  one.end("a")
  other.end("a")
  await Promise.all([once(one, "end"), once(other, "end")])
  expect([kept.seen, stopped.seen]).toEqual([["a"], ["a"]])
  stopped.source.stop()
  await setImmediate()
  expect([kept.seen, stopped.seen]).toEqual([["a", "end"], ["a"]])
})

it("ends at once for a stream that has been read", async () => {
  const readable = new PassThrough()
  readable.resume().end("a")
  await setImmediate()
  expect(read(readable).seen).toEqual(["end"])
})

it.each([new Error("torn"), undefined])(
  "fails once for a stream that breaks off: %s",
  async (error) => {
    const readable = new PassThrough()
    const { seen } = read(readable)
    readable.write("a")
    await setImmediate()
    readable.destroy(error)
    await setImmediate()
    expect([seen[0], ...new Set(seen.slice(1))]).toEqual(["a", "failure"])
    expect(read(readable).seen).toEqual(["failure"])
  }
)

it("stops without destroying the stream, and leaves no listeners", async () => {
  const readable = new PassThrough()
  const before = countListeners(readable)
  const { seen, source } = read(readable)
  readable.write("a")
  await setImmediate()
  source.stop()
  source.stop()
  readable.end("b")
  await setImmediate()
  expect(seen).toEqual(["a"])
  expect(countListeners(readable)).toEqual(before)
  expect(readable.destroyed).toBe(false)
  expect(String(readable.read())).toBe("b")
})
