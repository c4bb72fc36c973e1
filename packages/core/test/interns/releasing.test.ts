import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { setImmediate } from "node:timers/promises"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { assert, describe, it } from "vitest"
import { Vaults } from "../../src/vaults/Vaults.ts"
import { ann, create, inWorld, stands } from "./internWorld.ts"

const collectGarbage = (): void => {
  setFlagsFromString("--expose-gc")
  runInNewContext("gc")()
}

describe("the secrets of an intern", () => {
  it("do not pile up with a host that asks for each request the intern ever sends", () =>
    inWorld((hosted) =>
      Effect.gen(function* () {
        const { intern } = yield* create({ provision: true })
        yield* stands(intern.id, "running")
        const secret = { value: Redacted.make("s3cret"), hosts: ["api.example.com"] }
        yield* Vaults.use((vaults) => vaults.put(ann, intern.vault, "own", secret))
        const { release } = hosted.calls.at(-1)!.intern
        const seen: Array<WeakRef<object>> = []
        for (let request = 0; request < 20; request++) {
          const secrets = yield* release("api.example.com")
          seen.push(...secrets.map(({ value }) => new WeakRef(value)))
        }
        yield* Effect.promise(() => setImmediate())
        collectGarbage()
        assert.lengthOf(seen, 20)
        assert.isAtMost(seen.filter((each) => each.deref() !== undefined).length, 2)
      })
    ))
})
