import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { VideoStatus, canTransition, isTerminal } from "../../../src/domains/videos/VideoStatus.ts"

const statuses = VideoStatus.literals

describe("the statuses of a video job", () => {
  it("allows exactly the transitions of the table", () => {
    const allowed = statuses.flatMap((from) =>
      statuses.filter((to) => canTransition(from, to)).map((to) => `${from} -> ${to}`)
    )
    expect(allowed).toEqual([
      "pending -> in_progress",
      "pending -> completed",
      "pending -> failed",
      "pending -> cancelled",
      "pending -> expired",
      "in_progress -> completed",
      "in_progress -> failed",
      "in_progress -> cancelled",
      "in_progress -> expired"
    ])
  })

  it("reaches a terminal status within two transitions", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...statuses), { maxLength: 30 }), (wanted) => {
        const walked: Array<VideoStatus> = ["pending"]
        for (const to of wanted) if (canTransition(walked.at(-1)!, to)) walked.push(to)
        expect(walked.length).toBeLessThanOrEqual(3)
        expect(walked.filter(isTerminal).length).toBe(isTerminal(walked.at(-1)!) ? 1 : 0)
      })
    )
  })
})
