import { assert, describe, it } from "vitest"
import { SharedCredential } from "../../../../src/engine/upstreams/transport/SharedCredential.ts"

const minute = 60_000

/** Hands out 1, 2, 3 …, each good for an hour from the fetch. */
const startCounter = (expiresIn: number | undefined = 60 * minute) => {
  let fetches = 0
  let now = 0
  const gates: Array<(error?: Error) => void> = []
  const shared = new SharedCredential<number>(async () => {
    const value = ++fetches
    const fetchedAt = now
    await new Promise<void>((resolve, reject) =>
      gates.push((error) => (error === undefined ? resolve() : reject(error)))
    )
    return expiresIn === Infinity ? { value } : { value, expiresAt: fetchedAt + expiresIn }
  })
  return {
    shared,
    fetches: () => fetches,
    at: (millis: number) => shared.get((now = millis)),
    /** Lets the pending fetch end. */
    settle: (error?: Error) => gates.shift()?.(error)
  }
}

const startWithOne = async (expiresIn?: number) => {
  const counter = startCounter(expiresIn)
  const first = counter.at(0)
  counter.settle()
  assert.strictEqual(await first, 1)
  return counter
}

const findError = async (waiting: number | Promise<number>): Promise<string> => {
  try {
    return `no error, but ${await waiting}`
  } catch (error) {
    return String(error)
  }
}

describe("SharedCredential", () => {
  it("is fetched once for all who wait, and then there at once", async () => {
    const { at, fetches, settle } = startCounter()
    const waiting = [at(0), at(0), at(1)]
    settle()
    for (const each of waiting) assert.strictEqual(await each, 1)
    assert.strictEqual(at(2), 1)
    assert.strictEqual(fetches(), 1)
  })

  it("is fetched in the background shortly before it expires, and waited for afterwards", async () => {
    const { at, fetches, settle } = await startWithOne()
    assert.strictEqual(at(55 * minute - 1), 1)
    assert.strictEqual(fetches(), 1)
    assert.strictEqual(at(55 * minute), 1)
    assert.strictEqual(at(56 * minute), 1)
    assert.strictEqual(fetches(), 2)
    const late = at(60 * minute)
    settle()
    assert.strictEqual(await late, 2)
    assert.strictEqual(at(60 * minute), 2)
    assert.strictEqual(fetches(), 2)
  })

  it("survives a failure in the background while it is good", async () => {
    const { at, fetches, settle } = await startWithOne()
    assert.strictEqual(at(58 * minute), 1)
    settle(new Error("down"))
    await new Promise(setImmediate)
    assert.strictEqual(at(59 * minute), 1)
    assert.strictEqual(fetches(), 3)
  })

  it("remembers a failed fetch for a second", async () => {
    const { at, fetches, settle } = startCounter()
    const failed = at(0)
    settle(new Error("down"))
    assert.strictEqual(await findError(failed), "Error: down")
    for (let call = 0; call < 50; call++) {
      assert.strictEqual(await findError(at(999)), "Error: down")
    }
    assert.strictEqual(fetches(), 1)
    const next = at(1_000)
    settle()
    assert.strictEqual(await next, 2)
    assert.strictEqual(at(1_001), 2)
  })

  it("does not remember a failed fetch when the clock has been set back", async () => {
    const { at, settle } = startCounter()
    const failed = at(60 * minute)
    settle(new Error("down"))
    assert.strictEqual(await findError(failed), "Error: down")
    const next = at(0)
    settle()
    assert.strictEqual(await next, 2)
  })

  it("is fetched anew when the clock has been set back, because its age is unknown then", async () => {
    const { at, fetches, settle } = await startWithOne()
    const day = 24 * 60 * minute
    const again = at(-day)
    settle()
    assert.strictEqual(await again, 2)
    // And kept, although an older one had a later date.
    assert.strictEqual(at(-day + 1), 2)
    assert.strictEqual(fetches(), 2)
    assert.strictEqual(at(-day - 500), 2)
  })

  it("is forgotten when it is refused after the clock has been set back", async () => {
    const { shared } = await startWithOne()
    assert.isTrue(shared.forget(1, -24 * 60 * minute))
  })

  it("is given up when a fetch hangs for a minute after the clock has been set back", async () => {
    const { at, fetches } = startCounter()
    const day = 24 * 60 * minute
    const waiting = [at(0), at(-day), at(-day + minute)]
    assert.strictEqual(fetches(), 2)
    assert.lengthOf(waiting, 3)
  })

  it("tries a failed renewal once a second", async () => {
    const { at, fetches, settle } = await startWithOne()
    assert.strictEqual(at(56 * minute), 1)
    settle(new Error("down"))
    await new Promise(setImmediate)
    for (let call = 0; call < 50; call++) assert.strictEqual(at(56 * minute + call), 1)
    assert.strictEqual(fetches(), 2)
    assert.strictEqual(at(56 * minute + 1_000), 1)
    assert.strictEqual(fetches(), 3)
  })

  it("is kept for five minutes when its lifetime is unknown", async () => {
    const { at, fetches } = await startWithOne(Infinity)
    assert.strictEqual(at(4 * minute - 1), 1)
    assert.strictEqual(fetches(), 1)
    assert.instanceOf(at(5 * minute), Promise)
  })

  it("is forgotten when it is refused, unless it is new", async () => {
    const { at, settle, shared } = await startWithOne()
    assert.isFalse(shared.forget(1, 29_999), "a new one would be refused too")
    assert.strictEqual(at(30_000), 1)
    assert.isTrue(shared.forget(1, 30_000))
    const next = at(30_000)
    assert.isTrue(shared.forget(1, 30_000), "it is being replaced")
    settle()
    assert.strictEqual(await next, 2)
    assert.isTrue(shared.forget(1, 40_000), "it has been replaced")
    assert.strictEqual(at(40_000), 2)
  })

  it("is fetched anew when a fetch hangs, whose late result does not replace a newer one", async () => {
    const ends: Array<(value: number) => void> = []
    const shared = new SharedCredential<number>(async () => ({
      value: await new Promise<number>((resolve) => ends.push(resolve)),
      expiresAt: Infinity
    }))
    const hanging = shared.get(0)
    void shared.get(minute - 1)
    assert.strictEqual(ends.length, 1)
    const next = shared.get(minute)
    void shared.get(minute)
    assert.strictEqual(ends.length, 2)
    ends[1]?.(2)
    assert.strictEqual(await next, 2)
    ends[0]?.(1)
    assert.strictEqual(await hanging, 1)
    assert.strictEqual(shared.get(minute), 2)
  })

  it("is kept for five minutes when the date of its end is invalid", async () => {
    const { at } = await startWithOne(Number.NaN)
    assert.strictEqual(at(4 * minute - 1), 1)
    assert.instanceOf(at(5 * minute), Promise)
  })
})
