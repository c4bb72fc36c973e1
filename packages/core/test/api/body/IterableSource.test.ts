import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { expect, it } from "vitest"
import { IterableSource } from "../../../src/api/body/BodySource.ts"

const nextTurn = () => new Promise((resume) => setImmediate(resume))

/** Reads the chunks of `iterable`, and records what is pushed. */
const read = (iterable: AsyncIterable<unknown>) => {
  const scope = Scope.makeUnsafe()
  const seen: Array<string> = []
  const source = new IterableSource(iterable, scope)
  source.start({
    push: (chunk) => seen.push(new TextDecoder().decode(chunk)),
    end: () => seen.push("end"),
    fail: () => seen.push("failure")
  })
  return { seen, source, close: () => Effect.runPromise(Scope.close(scope, Exit.void)) }
}

const makeChunks = (chunks: ReadonlyArray<unknown>) => {
  const state = { isClosed: false }
  const iterate = async function* () {
    try {
      yield* chunks
    } finally {
      state.isClosed = true
    }
  }
  return { state, chunks: iterate() }
}

it("pushes bytes and text, and the end", async () => {
  const { seen } = read(makeChunks([Uint8Array.of(97), "b"]).chunks)
  await nextTurn()
  expect(seen).toEqual(["a", "b", "end"])
})

it.each([[[1]], [[undefined]]])("fails for chunks of another type: %o", async (chunks) => {
  const { seen } = read(makeChunks(chunks).chunks)
  await nextTurn()
  expect(seen).toEqual(["failure"])
})

async function* fail() {
  yield "a"
  throw new Error("torn")
}

it("fails if the iteration fails or cannot begin", async () => {
  const broken: AsyncIterable<unknown> = {
    [Symbol.asyncIterator]: () => {
      throw new Error("locked")
    }
  }
  const [later, atOnce] = [read(fail()), read(broken)]
  await nextTurn()
  expect([later.seen, atOnce.seen]).toEqual([["a", "failure"], ["failure"]])
})

it("pushes nothing while it is paused", async () => {
  const { seen, source } = read(makeChunks(["a", "b"]).chunks)
  source.pause()
  await nextTurn()
  expect(seen).toEqual(["a"])
  source.resume()
  await nextTurn()
  expect(seen).toEqual(["a", "b", "end"])
})

it("closes what it has not read when the response has been sent, not before", async () => {
  const { chunks, state } = makeChunks(["a", "b"])
  const { close, seen, source } = read(chunks)
  source.pause()
  await nextTurn()
  source.stop()
  await nextTurn()
  expect([seen, state.isClosed]).toEqual([["a"], false])
  await close()
  await nextTurn()
  expect(state.isClosed).toBe(true)
})
