import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { setImmediate } from "node:timers/promises"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { assert, describe, it } from "vitest"
import type { InternChatEvent } from "../../../../src/domains/interns/chat/InternTurn.ts"
import { makeInternSecretReleaser } from "../../../../src/domains/interns/host/InternHostClient.ts"
import { Vaults } from "../../../../src/domains/vaults/Vaults.ts"
import { ann, create, withInternFixture, waitForStatus } from "../internFixture.ts"

const collectGarbage = (): void => {
  setFlagsFromString("--expose-gc")
  runInNewContext("gc")()
}

describe("the secrets of an intern", () => {
  it("do not accumulate in memory when the host requests them repeatedly", () =>
    withInternFixture((hosted) =>
      Effect.gen(function* () {
        const { intern } = yield* create({ provision: true })
        yield* waitForStatus(intern.id, "running")
        const secret = { value: Redacted.make("s3cret"), hosts: ["api.example.com"] }
        yield* Vaults.use((vaults) => vaults.put(ann, intern.vault, "own", secret))
        const { releaseSecrets } = hosted.calls.at(-1)!.intern
        const seen: Array<WeakRef<object>> = []
        for (let request = 0; request < 20; request++) {
          const secrets = yield* releaseSecrets("api.example.com")
          seen.push(...secrets.map(({ value }) => new WeakRef(value)))
        }
        yield* Effect.promise(() => setImmediate())
        collectGarbage()
        assert.lengthOf(seen, 20)
        assert.isAtMost(seen.filter((each) => each.deref() !== undefined).length, 2)
      })
    ))

  it("are redacted in an answer that breaks off, which is emitted completely", () =>
    withInternFixture(() =>
      Effect.gen(function* () {
        const { intern } = yield* create()
        const secret = { value: Redacted.make("planted-secret"), hosts: ["api.example.com"] }
        yield* Vaults.use((vaults) => vaults.put(ann, intern.vault, "own", secret))
        const { hosted, redactEvents } = makeInternSecretReleaser(yield* Vaults, intern)
        yield* hosted.releaseSecrets("api.example.com")
        const emitted: Array<InternChatEvent> = []
        const failure = yield* Stream.succeed<InternChatEvent>({
          type: "delta",
          content: "They plan"
        }).pipe(
          Stream.concat(Stream.fail("it broke")),
          redactEvents,
          Stream.runForEach((event) => Effect.sync(() => emitted.push(event))),
          Effect.flip
        )
        assert.deepStrictEqual(emitted, [{ type: "delta", content: "They plan" }])
        assert.strictEqual(failure, "it broke")
      })
    ))

  it("are redacted completely in logs when one is a prefix of another", () =>
    withInternFixture(() =>
      Effect.gen(function* () {
        const { intern } = yield* create()
        for (const [name, value] of [
          ["one", "planted-secret"],
          ["two", "planted-secret-2"]
        ] as const) {
          const secret = { value: Redacted.make(value), hosts: ["api.example.com"] }
          yield* Vaults.use((vaults) => vaults.put(ann, intern.vault, name, secret))
        }
        const { redactFailure, hosted } = makeInternSecretReleaser(yield* Vaults, intern)
        yield* hosted.releaseSecrets("api.example.com")
        const left = Cause.pretty(redactFailure(Cause.die("sent planted-secret-2 to the log")))
        assert.include(left, "sent [redacted] to the log")
      })
    ))
})
