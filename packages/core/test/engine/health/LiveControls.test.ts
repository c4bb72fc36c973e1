import { assert, describe, it } from "vitest"
import { LiveControls } from "../../../src/engine/health/control/LiveControls.ts"
import type { TrafficControl } from "../../../src/engine/health/control/TrafficControl.ts"

const make = (control: Partial<TrafficControl>): TrafficControl => ({
  kind: "endpoint",
  id: "a/b@one",
  state: "active",
  weight: 1,
  reason: null,
  version: 1,
  updated_at: "2026-11-30T12:00:00.000Z",
  ...control
})

const endpoint = { id: "a/b@one", provider: "one" }

const find = (...controls: ReadonlyArray<Partial<TrafficControl>>) => {
  const live = new LiveControls()
  live.replace(controls.map(make))
  return live.find(endpoint)
}

describe("LiveControls", () => {
  it("knows nothing of endpoints that are in service", () => {
    assert.isUndefined(find())
    assert.isUndefined(find({ reason: "it was drained" }, { kind: "provider", id: "one" }))
    assert.isUndefined(find({ id: "a/b@other", state: "disabled" }))
    const live = new LiveControls()
    live.replace([make({ version: 4 })])
    assert.isUndefined(live.select([{ endpoint }]))
  })

  it("joins the control of an endpoint with that of its provider: the stricter state, the product of the weights", () => {
    const provider = { kind: "provider", id: "one" } as const
    assert.deepStrictEqual(find({ ...provider, state: "drained" }), { state: "drained", weight: 1 })
    assert.deepStrictEqual(
      find({ weight: 0.5, state: "drained" }, { ...provider, weight: 0.5, state: "disabled" }),
      { state: "disabled", weight: 0.25 }
    )
    assert.deepStrictEqual(find({ state: "disabled" }, { ...provider, state: "drained" }), {
      state: "disabled",
      weight: 1
    })
  })

  it("is not set back by a list that was read earlier and arrives later", () => {
    const live = new LiveControls()
    live.replace([make({ state: "disabled", version: 3 })])
    live.replace([make({ state: "active", version: 2 })])
    assert.strictEqual(live.find(endpoint)?.state, "disabled")
    live.replace([make({ state: "active", version: 4 })])
    assert.isUndefined(live.find(endpoint))
  })

  it("takes endpoints of any name", () => {
    const live = new LiveControls()
    live.replace([make({ id: "__proto__", state: "drained" })])
    const named = { id: "__proto__", provider: "constructor" }
    assert.deepStrictEqual(Object.entries(live.select([{ endpoint: named }, { endpoint }]) ?? {}), [
      ["__proto__", { state: "drained", weight: 1 }]
    ])
  })
})
