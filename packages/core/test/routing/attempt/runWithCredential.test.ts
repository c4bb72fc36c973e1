import { inspect } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Redacted from "effect/Redacted"
import { redactUpstreamErrors } from "../../../src/routing/attempt/runWithCredential.ts"
import { StoreUnavailable } from "../../../src/values/errors/StoreUnavailable.ts"
import { UpstreamFailure } from "../../../src/engine/upstreams/failures/UpstreamFailure.ts"

const secret = "sk/customer+0000=="

const captureError = (failing: Effect.Effect<never, UpstreamFailure>) =>
  Effect.map(
    Effect.sandbox(redactUpstreamErrors(Redacted.make(secret), () => failing)).pipe(Effect.flip),
    (cause) => ({
      cause,
      text: inspect(cause, { depth: 12 })
    })
  )

describe("redactUpstreamErrors", () => {
  for (const [how, spelt] of [
    ["plainly", secret],
    ["in an address", encodeURIComponent(secret)],
    ["in base64", btoa(`${secret}:`)],
    ["in hex", Buffer.from(secret).toString("hex")]
  ] as const) {
    it.effect(`redacts a secret that a defect repeats ${how}`, () =>
      Effect.gen(function* () {
        const { text } = yield* captureError(
          Effect.die(new Error(`GET https://api/x?key=${spelt} failed`))
        )
        assert.include(text, "GET https://api/x?key=")
        assert.notInclude(text, spelt)
      })
    )

    it.effect(`redacts a secret that a failure repeats ${how}`, () =>
      Effect.gen(function* () {
        const { text } = yield* captureError(
          Effect.fail(new UpstreamFailure({ kind: "server_error", detail: `at ?key=${spelt}` }))
        )
        assert.include(text, "server_error")
        assert.notInclude(text, spelt)
      })
    )
  }

  it.effect("answers alike, whether the upstream ends at once, throws or waits", () =>
    Effect.gen(function* () {
      const failure = new UpstreamFailure({ kind: "server_error", detail: `at ?key=${secret}` })
      const defect = new Error(`GET https://api/x?key=${secret} failed`)
      const ends = [Exit.succeed("served"), Exit.fail(failure), Exit.die(defect), Exit.interrupt()]
      for (const end of ends) {
        const run = (running: () => Effect.Effect<string, UpstreamFailure>) =>
          Effect.exit(redactUpstreamErrors(Redacted.make(secret), running))
        const isDefect = end === ends[2]
        const text = inspect(yield* run(() => end), { depth: 12 })
        assert.strictEqual(
          text,
          inspect(yield* run(() => Effect.andThen(Effect.yieldNow, end)), { depth: 12 })
        )
        assert.notInclude(text, secret)
        if (!isDefect) continue
        const thrown = yield* run(() => {
          throw defect
        })
        assert.strictEqual(inspect(thrown, { depth: 12 }), text)
      }
    })
  )

  it.effect("drops the properties of a thrown value", () =>
    Effect.gen(function* () {
      const many = new AggregateError([new Error(secret)], "many", { cause: { key: secret } })
      const { text } = yield* captureError(
        Effect.die(Object.assign(many, { config: { key: secret } }))
      )
      assert.include(text, "many")
      assert.notInclude(text, secret)
    })
  )

  it.effect("keeps StoreUnavailable", () =>
    Effect.gen(function* () {
      const { cause, text } = yield* captureError(
        Effect.die(new StoreUnavailable({ cause: new Error(`no way to ${secret}`) }))
      )
      assert.isTrue(Cause.squash(cause) instanceof StoreUnavailable)
      assert.include(text, "no way to")
      assert.notInclude(text, secret)
    })
  )
})
