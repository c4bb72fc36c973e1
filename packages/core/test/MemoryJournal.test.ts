import { assert, layer } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { MemoryJournal } from "../src/MemoryJournal.ts"

/** A store that keeps words in the order they were written. */
const wordStore = Effect.map(MemoryJournal, ({ withTransaction, write }) => {
  const words: Array<string> = []
  return {
    words,
    atomically: withTransaction,
    add: (word: string) =>
      write(() => {
        words.push(word)
        return { result: word, undo: () => void words.splice(words.lastIndexOf(word), 1) }
      })
  }
})

// What the stores make of it stands in the contract suites; here is what only memory promises.
layer(MemoryJournal.layer)("MemoryJournal", (it) => {
  it.effect("never interleaves two atomic effects, nor a write with them", () =>
    Effect.gen(function* () {
      const { add, atomically, words } = yield* wordStore
      const spell = (word: string) =>
        atomically(
          Effect.forEach([1, 2, 3], (n) => Effect.andThen(Effect.yieldNow, add(`${word}${n}`)))
        )
      yield* Effect.all(
        [spell("a"), add("x"), spell("b"), Effect.andThen(Effect.yieldNow, add("y")), spell("c")],
        { concurrency: "unbounded" }
      )
      const kept = words.join(" ")
      assert.lengthOf(words, 11)
      for (const whole of ["a1 a2 a3", "b1 b2 b3", "c1 c2 c3"]) assert.include(kept, whole)
    })
  )

  it.effect("undoes in the reverse order of writing, through every nesting", () =>
    Effect.gen(function* () {
      const { withTransaction, write } = yield* MemoryJournal
      const undone: Array<string> = []
      const note = (name: string) =>
        write(() => ({ result: undefined, undo: () => void undone.push(name) }))
      const nested = withTransaction(Effect.andThen(note("2"), withTransaction(note("3"))))
      yield* Effect.exit(
        withTransaction(Effect.all([note("1"), nested, note("4"), Effect.fail("why")]))
      )
      assert.deepStrictEqual(undone, ["4", "3", "2", "1"])
    })
  )

  it.effect("does what waits for a commit once the outermost effect is kept, in order", () =>
    Effect.gen(function* () {
      const { afterCommit, withTransaction } = yield* MemoryJournal
      const done: Array<string> = []
      const note = (name: string) => afterCommit(Effect.sync(() => void done.push(name)))
      yield* withTransaction(
        Effect.gen(function* () {
          yield* note("1")
          yield* withTransaction(note("2"))
          yield* Effect.exit(withTransaction(Effect.andThen(note("undone"), Effect.fail("why"))))
          yield* note("3")
          assert.deepStrictEqual(done, [])
        })
      )
      assert.deepStrictEqual(done, ["1", "2", "3"])
      yield* Effect.exit(withTransaction(Effect.andThen(note("undone"), Effect.die("bug"))))
      yield* note("4")
      assert.deepStrictEqual(done, ["1", "2", "3", "4"])
    })
  )

  it.effect("lets fibers of one atomic effect write side by side, and undoes all of them", () =>
    Effect.gen(function* () {
      const { add, atomically, words } = yield* wordStore
      const both = Effect.all([add("a"), atomically(add("b")), add("c")], {
        concurrency: "unbounded"
      })
      yield* atomically(both)
      assert.sameMembers(words, ["a", "b", "c"])
      yield* Effect.exit(atomically(Effect.andThen(both, Effect.die("bug"))))
      assert.sameMembers(words, ["a", "b", "c"])
    })
  )

  it.effect("keeps what a fiber writes that outlived the atomic effect it came from", () =>
    Effect.gen(function* () {
      const { add, atomically, words } = yield* wordStore
      const over = yield* Deferred.make<void>()
      const background = yield* atomically(
        Effect.forkChild(Effect.andThen(Deferred.await(over), add("late")))
      )
      const inside = yield* Deferred.make<void>()
      const other = yield* Effect.forkChild(
        atomically(Effect.all([add("begun"), Deferred.await(inside), add("done")]))
      )
      yield* Effect.yieldNow
      yield* Deferred.succeed(over, undefined)
      yield* Effect.yieldNow
      assert.deepStrictEqual(words, ["begun"])
      yield* Deferred.succeed(inside, undefined)
      yield* Fiber.joinAll([background, other])
      assert.deepStrictEqual(words, ["begun", "done", "late"])
    })
  )

  it.effect("makes an atomic effect of its own out of one that outlived its outer one", () =>
    Effect.gen(function* () {
      const { add, atomically, words } = yield* wordStore
      const over = yield* Deferred.make<void>()
      const background = yield* atomically(
        atomically(
          Effect.forkChild(
            Effect.andThen(
              Deferred.await(over),
              Effect.exit(atomically(Effect.andThen(add("late"), Effect.fail("why"))))
            )
          )
        )
      )
      yield* Deferred.succeed(over, undefined)
      yield* Fiber.join(background)
      assert.deepStrictEqual(words, [])
    })
  )
})
