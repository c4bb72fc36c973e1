/** Messages between processes on Postgres. */
import { maxMessageBytes, ProcessChannel, type ProcessMessage } from "@signalbox/core/stores"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Stream from "effect/Stream"
import { assert, describe, expect, inject, it } from "vitest"
import { postgres } from "../../src/index.ts"
import { newSchema } from "../databases.ts"
import { isPgBouncerInstalled, startPgBouncer } from "../PgBouncer.ts"

/** Another process on the schema, and what it hears. */
const openChannel = (options: Parameters<typeof postgres>[0]) =>
  Effect.gen(function* () {
    const context = yield* Layer.build(Layer.fresh(postgres(options)))
    const channel = Context.get(context, ProcessChannel)
    if (channel === undefined) return assert.fail("the stores have no channel")
    const heard: Array<ProcessMessage> = []
    yield* channel.messages.pipe(
      Stream.runForEach((message) => Effect.sync(() => void heard.push(message))),
      Effect.forkScoped({ startImmediately: true })
    )
    return { publish: channel.publish, heard }
  })

const poll = (check: () => void) =>
  Effect.promise(() => expect.poll(check, { timeout: 120_000, interval: 50 }).toBeUndefined())

describe("processes on one schema", () => {
  it("hear each other, and not themselves", () =>
    Effect.gen(function* () {
      const options = newSchema()
      const one = yield* openChannel(options)
      const other = yield* openChannel(options)
      // A message is lost until both listen.
      yield* Effect.promise(() =>
        expect
          .poll(
            async () => {
              await Effect.runPromise(Effect.all([one.publish("from one"), other.publish("hi")]))
              return other.heard.length > 0 && one.heard.length > 0
            },
            { timeout: 120_000, interval: 50 }
          )
          .toBe(true)
      )
      assert.isTrue(other.heard.every(({ text }) => text === "from one"))
      assert.isTrue(one.heard.every(({ text }) => text === "hi"))
      assert.lengthOf(new Set(other.heard.map(({ from }) => from)), 1)

      yield* one.publish("ü".repeat(maxMessageBytes))
      yield* one.publish("n".repeat(maxMessageBytes))
      yield* one.publish('the "last"\n')
      yield* poll(() => assert.strictEqual(other.heard.at(-1)?.text, 'the "last"\n'))
      assert.strictEqual(other.heard.at(-2)?.text.length, maxMessageBytes)
      assert.isFalse(other.heard.some(({ text }) => text.startsWith("ü")))
    }).pipe(Effect.scoped, Effect.runPromise))
})

describe.skipIf(!isPgBouncerInstalled)("behind PgBouncer, if installed", () => {
  it("say in one line that they cannot listen, without a stack", async () => {
    await using pooler = await startPgBouncer(inject("postgresUrl"), {
      ignoredParameters: "search_path",
      hasSearchPath: true
    })
    const { schema, url } = pooler
    const logs: Array<{ readonly message: unknown; readonly reasons: number }> = []
    const logger = Logger.make(({ cause, message }) => {
      logs.push({ message, reasons: cause.reasons.length })
    })
    await Effect.runPromise(
      Effect.gen(function* () {
        yield* openChannel({ url, schema, prepare: false })
        yield* poll(() => assert.isNotEmpty(logs))
        assert.match(String(logs[0]?.message), /^cannot listen for changes .*\(no heartbeat/)
        assert.strictEqual(logs[0]?.reasons, 0)
      }).pipe(Effect.scoped, Effect.provide(Logger.layer([logger])))
    )
  })
})
