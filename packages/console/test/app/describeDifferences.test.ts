import { expect, it } from "vitest"
import { describeDifferences } from "../../app/pages/fleet/describeDifferences.ts"

const process = (version: string, fingerprint = "abc", isLost = false) => ({
  version,
  is_lost: isLost,
  configuration: { fingerprint, made_at: "2026-01-01T00:00:00.000Z", models: 1 }
})

it("says nothing of processes that are alike", () => {
  expect(describeDifferences([process("1.0.0"), process("1.0.0")])).toEqual([])
  expect(describeDifferences([])).toEqual([])
})

it("counts the versions that differ", () => {
  expect(describeDifferences([process("1.0.0"), process("1.1.0"), process("1.0.0")])).toEqual([
    "Processes run different versions: 1.0.0 in 2, 1.1.0 in 1. During a roll-out that is as it should be."
  ])
})

it("counts the configurations that differ", () => {
  expect(describeDifferences([process("1.0.0", "abc"), process("1.0.0", "def")])).toEqual([
    "Processes serve different configurations: abc in 1, def in 1. Call replace() in each of them."
  ])
})

it("does not count processes that are lost", () => {
  expect(describeDifferences([process("1.0.0"), process("1.1.0", "def", true)])).toEqual([])
})
