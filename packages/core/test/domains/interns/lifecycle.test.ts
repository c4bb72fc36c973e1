import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { scaleRuns } from "../../../../../vitest.scope.ts"
import {
  InternStatus,
  findNextStatus,
  internEvents
} from "../../../src/domains/interns/InternStatus.ts"

const statuses = InternStatus.literals

/** The transitions that the documentation lists. */
const documented: ReadonlyArray<readonly [from: string, event: string, to: string]> = [
  ["stopped", "provision", "queued"],
  ["failed", "provision", "queued"],
  ["awaiting_slack_install", "provision", "queued"],
  ["queued", "begin", "provisioning"],
  // Fails before its first step.
  ["queued", "fail", "failed"],
  ["provisioning", "succeed", "running"],
  ["provisioning", "fail", "failed"],
  ["running", "suspend", "stopped"],
  ...statuses.flatMap((from) =>
    from === "destroying" ? [] : [[from, "delete", "destroying"] as const]
  ),
  ["destroying", "destroyFail", "destroy_failed"]
]

const status = fc.constantFrom(...statuses)
const event = fc.constantFrom(...internEvents)

describe("the lifecycle of an intern", () => {
  it("has exactly the documented transitions", () => {
    fc.assert(
      fc.property(status, event, (from, happening) => {
        const row = documented.find((each) => each[0] === from && each[1] === happening)
        assert.strictEqual(findNextStatus(from, happening), row?.[2])
      }),
      { numRuns: scaleRuns(500) }
    )
    const all = statuses.flatMap((from) => internEvents.map((each) => findNextStatus(from, each)))
    assert.lengthOf(
      all.filter((to) => to !== undefined),
      documented.length
    )
  })

  it("reaches destruction from every status, and allows nothing else after it", () => {
    fc.assert(
      fc.property(status, fc.array(event, { maxLength: 30 }), (from, happenings) => {
        let now = from
        let isLeaving = from === "destroying" || from === "destroy_failed"
        for (const each of happenings) {
          now = findNextStatus(now, each) ?? now
          isLeaving ||= now === "destroying"
          assert.strictEqual(isLeaving, now === "destroying" || now === "destroy_failed")
        }
        assert.strictEqual(findNextStatus(now, "delete") ?? now, "destroying")
      })
    )
  })
})
