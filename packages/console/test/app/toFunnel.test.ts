import { describe, expect, it } from "vitest"
import { toFunnel } from "../../app/pages/route/toFunnel.ts"

const leave = (endpoint: string, rule: string) => ({ endpoint, rule, source: "health", found: "x" })
const stay = (endpoint: string) => ({ endpoint, text: endpoint.toUpperCase() })
const sum = (leftOut: Parameters<typeof toFunnel>[0], left: Parameters<typeof toFunnel>[1]) =>
  toFunnel(leftOut, left, (count) => `${count} tried`).map(({ from, label, to }) => [
    label,
    from,
    to
  ])

describe("the funnel of a route", () => {
  it("narrows by each rule, in their order", () => {
    expect(
      sum([leave("a", "breaker"), leave("b", "zdr"), leave("c", "breaker")], [stay("d"), stay("e")])
    ).toEqual([
      ["5 endpoints considered", 5, 5],
      ["2 left out by breaker", 5, 3],
      ["1 left out by zdr", 3, 2],
      ["2 tried", 2, 2]
    ])
  })

  it("counts an endpoint once that several rules leave out", () => {
    expect(sum([leave("a", "breaker"), leave("a", "zdr"), leave("b", "zdr")], [])).toEqual([
      ["2 endpoints considered", 2, 2],
      ["1 left out by breaker", 2, 1],
      ["1 left out by zdr", 1, 0],
      ["0 tried", 0, 0]
    ])
  })

  it("counts an endpoint once that is tried twice, and tells both", () => {
    const stages = toFunnel([], [stay("a"), stay("a")], (count) => `${count} tried`)
    expect(stages.at(-1)).toMatchObject({ label: "1 tried", detail: "1. A  2. A" })
    expect(stages[0]).toMatchObject({ label: "1 endpoint considered" })
  })
})
