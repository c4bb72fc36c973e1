import { assert, layer } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { MemoryJournal } from "../../src/memory/MemoryJournal.ts"

/** A store of words in the order of writing. */
const wordStore = Effect.map(MemoryJournal, ({ withTransaction, write }) => {
  const words: Array<string> = []
  return {
    words,
    withTransaction,
    add: (word: string) =>
      write(() => {
        words.push(word)
        return { result: word, undo: () => void words.splice(words.lastIndexOf(word), 1) }
      })
  }
})

// The contract suites test transactions of stores; these tests cover what only the memory guarantees.
layer(MemoryJournal.layer)("MemoryJournal", (it) => {
  it.effect("interleaves neither two transactions nor a write with them", () =>
    Effect.gen(function* () {
      const { add, withTransaction, words } = yield* wordStore
      const spell = (word: string) =>
        withTransaction(
          Effect.forEach([1, 2, 3], (n) => Effect.andThen(Effect.yieldNow, add(`${word}${n}`)))
        )
      yield* Effect.all(
        [spell("a"), add("x"), spell("b"), Effect.andThen(Effect.yieldNow, add("y")), spell("c")],
        { concurrency: "unbounded" }
      )
      const text = words.join(" ")
      assert.lengthOf(words, 11)
      for (const whole of ["a1 a2 a3", "b1 b2 b3", "c1 c2 c3"]) assert.include(text, whole)
    })
  )

  it.effect("undoes writes in reverse order, across nested transactions", () =>
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

  it.effect("runs afterCommit in order once the outermost transaction commits", () =>
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

  it.effect("lets fibers of one transaction write concurrently, and undoes all of them", () =>
    Effect.gen(function* () {
      const { add, withTransaction, words } = yield* wordStore
      const both = Effect.all([add("a"), withTransaction(add("b")), add("c")], {
        concurrency: "unbounded"
      })
      yield* withTransaction(both)
      assert.sameMembers(words, ["a", "b", "c"])
      yield* Effect.exit(withTransaction(Effect.andThen(both, Effect.die("bug"))))
      assert.sameMembers(words, ["a", "b", "c"])
    })
  )

  it.effect("keeps the writes of a fiber that outlives its transaction", () =>
    Effect.gen(function* () {
      const { add, withTransaction, words } = yield* wordStore
      const over = yield* Deferred.make<void>()
      const background = yield* withTransaction(
        Effect.forkChild(Effect.andThen(Deferred.await(over), add("late")))
      )
      const inside = yield* Deferred.make<void>()
      const other = yield* Effect.forkChild(
        withTransaction(Effect.all([add("begun"), Deferred.await(inside), add("done")]))
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

  it.effect("runs a nested transaction on its own if it outlives the outer one", () =>
    Effect.gen(function* () {
      const { add, withTransaction, words } = yield* wordStore
      const over = yield* Deferred.make<void>()
      const background = yield* withTransaction(
        withTransaction(
          Effect.forkChild(
            Effect.andThen(
              Deferred.await(over),
              Effect.exit(withTransaction(Effect.andThen(add("late"), Effect.fail("why"))))
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
