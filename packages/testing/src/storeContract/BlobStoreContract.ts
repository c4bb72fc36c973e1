/** A test suite for implementations of `BlobStore`. */
import { BlobStore } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { assert, describe, it } from "vitest"
import { makeRunTest } from "./makeRunTest.ts"

const makeName = (): string => `blob-${crypto.randomUUID()}`

const toBytes = (...parts: ReadonlyArray<ReadonlyArray<number>>): Stream.Stream<Uint8Array> =>
  Stream.fromIterable(parts.map((part) => Uint8Array.from(part)))

/** The bytes of a file, or of a range of it; undefined: there is none. */
const read = Effect.fnUntraced(function* (name: string, offset = 0, length?: number) {
  const store = yield* BlobStore
  const found = yield* store.find(name)
  if (found === undefined) return undefined
  const parts = yield* Stream.runCollect(found.read(offset, length ?? found.size))
  return parts.flatMap((part) => Array.from(part))
})

/** Declares the tests in a vitest file: `BlobStoreContract("in a folder", layer)`. */
export const BlobStoreContract = (
  implementation: string,
  layer: Layer.Layer<BlobStore, unknown>
): void => {
  const run = makeRunTest(layer)
  describe(`BlobStore: ${implementation}`, () => {
    it("reads a file and any range of it, and has no other", () =>
      run(
        Effect.gen(function* () {
          const store = yield* BlobStore
          const name = makeName()
          assert.isUndefined(yield* store.find(name))
          yield* store.put(name, toBytes([1, 2], [], [3, 4, 5]))
          assert.strictEqual((yield* store.find(name))?.size, 5)
          assert.deepStrictEqual(yield* read(name), [1, 2, 3, 4, 5])
          assert.deepStrictEqual(yield* read(name, 1, 3), [2, 3, 4])
          assert.deepStrictEqual(yield* read(name, 5, 0), [])
          assert.isUndefined(yield* store.find(`${name}-0`))
        })
      ))

    it("has files without bytes", () =>
      run(
        Effect.gen(function* () {
          const store = yield* BlobStore
          const name = makeName()
          yield* store.put(name, Stream.empty)
          assert.strictEqual((yield* store.find(name))?.size, 0)
          assert.deepStrictEqual(yield* read(name), [])
        })
      ))

    it("replaces a file as a whole, and leaves it when the bytes of another fail", () =>
      run(
        Effect.gen(function* () {
          const store = yield* BlobStore
          const name = makeName()
          const broken = Stream.concat(toBytes([9]), Stream.fail("broken" as const))
          assert.strictEqual(yield* Effect.flip(store.put(name, broken)), "broken")
          assert.isUndefined(yield* store.find(name))
          yield* store.put(name, toBytes([1, 1, 1]))
          assert.strictEqual(yield* Effect.flip(store.put(name, broken)), "broken")
          assert.deepStrictEqual(yield* read(name), [1, 1, 1])
          yield* store.put(name, toBytes([2]))
          assert.deepStrictEqual(yield* read(name), [2])
        })
      ))

    it("has one whole file of several that are written at once", () =>
      run(
        Effect.gen(function* () {
          const store = yield* BlobStore
          const name = makeName()
          yield* Effect.forEach(
            [1, 2, 3, 4],
            (byte) => store.put(name, toBytes([byte], [byte], [byte])),
            { concurrency: "unbounded" }
          )
          const [first, ...rest] = (yield* read(name)) ?? []
          assert.include([1, 2, 3, 4], first)
          assert.deepStrictEqual(rest, [first, first])
        })
      ))

    it("removes a file, also when there is none, and no other", () =>
      run(
        Effect.gen(function* () {
          const store = yield* BlobStore
          const name = makeName()
          yield* store.put(name, toBytes([1]))
          yield* store.put(`${name}-0`, toBytes([2]))
          yield* store.remove(name)
          yield* store.remove(name)
          assert.isUndefined(yield* store.find(name))
          assert.deepStrictEqual(yield* read(`${name}-0`), [2])
        })
      ))
  })
}
