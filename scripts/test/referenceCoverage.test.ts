/** The committed names of OpenRouter's operations are those of its documents, and each is served or has its reason. */
import { expect, it } from "vitest"
import { operations } from "@signalbox/core/adapter"
import { describeWithReference } from "../../packages/core/test/reference.ts"
import {
  findCoverage,
  readCommittedOperations,
  readReferenceOperations
} from "../referenceCoverage.ts"

describeWithReference("OpenRouter's operations", (path) => {
  it("are those of the committed list; `npm run docs` writes it", () => {
    expect(readCommittedOperations()).toEqual(readReferenceOperations(path("")))
  })
})

it("operations that are left out are not served, and the others are named", () => {
  const { leftOut, missing, served } = findCoverage(
    operations.map(({ method, path }) => `${method} ${path}`)
  )
  expect(served.length).toBeGreaterThan(70)
  expect(served.length + leftOut.length + missing.length).toBe(readCommittedOperations().length)
  expect(leftOut.map(([name]) => name)).toContain("GET /benchmarks")
  // The same by other names would be forgotten there.
  const paths = new Set(leftOut.map(([name]) => name.split(" ")[1]?.split("/")[1]))
  expect([...paths].toSorted((a = "", b = "") => a.localeCompare(b))).toEqual([
    "benchmarks",
    "classifications",
    "containers",
    "datasets",
    "oauth",
    "scim"
  ])
})
