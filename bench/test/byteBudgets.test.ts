/**
 * Requests allocate no more bytes than they did, with a margin of 15 %. A change that lowers a figure lowers its
 * budget.
 */
import { execFile } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"
import { beforeAll, describe, expect, it } from "vitest"
import { canMeasureBytes } from "../budgets/measureBytes.ts"

/**
 * KiB beyond the pass-through: what `node bench/bytes.ts` prints, and 15 %. Machines differ by up to 6 %, because V8
 * decides by time when it optimizes which function.
 */
const budgets = {
  "Decision over HTTP": 24,
  "Decision in process, upstream in memory": 15,
  "chat answered whole": 24,
  "chat answered whole, with a cache that it does not use": 24,
  // Affinity has no budget of its own.
  "chat of three endpoints, drawn": 25,
  "chat of three endpoints, kept": 32,
  // Other callers' filters cost nothing but what V8 does differently.
  "chat in process, content filters of others": 0.5,
  "chat in process, content filters that find nothing": 8.4,
  // The cache costs nothing where it is not used: the figures of two instances differ by up to 0.3.
  "chat in process, a cache that nobody asks for": 0.5,
  "chat in process, a cache that it refuses": 0.5,
  "chat streamed": 1.1,
  "chat by messages, whole": 36,
  "chat by messages, streamed": 1.1,
  "chat by gemini, whole": 38,
  "chat by gemini, streamed": 3,
  "chat by responses, whole": 35,
  "chat by responses, streamed": 1.2,
  "messages by messages, whole": 29,
  "responses by responses, whole": 30
}

let measured: Readonly<Record<string, number>> = {}

describe.skipIf(!canMeasureBytes)("bytes of a request, which Node counts since 26", () => {
  beforeAll(async () => {
    const program = join(import.meta.dirname, "measureProgram.ts")
    const { stdout } = await promisify(execFile)(process.execPath, [
      program,
      JSON.stringify(budgets)
    ])
    measured = JSON.parse(stdout)
    // Thousands of requests take minutes on a busy machine.
  }, 1_200_000)

  it.each(Object.entries(budgets))("%s: at most %d KiB", (name, budget) => {
    expect(measured[name]).toBeLessThanOrEqual(budget)
  })
})
