/**
 * Prints the bytes that one request allocates, and how many of them are beyond a hand-written pass-through. Bytes hardly
 * depend on the machine or its load.
 *
 * Usage: node bench/budgets.ts [requests per round] (needs Node 26)
 */
import v8 from "node:v8"
import { cases, events } from "./budgets/cases.ts"

const [requests = 1_000] = process.argv.slice(2).map(Number)

const readAllocatedBytes = (): number => {
  const { total_allocated_bytes: bytes } = v8.getHeapStatistics() as {
    total_allocated_bytes?: number
  }
  if (bytes === undefined) throw new Error("this Node does not count allocated bytes; use Node 26")
  return bytes
}

/** Measures until V8 has optimized the code, which is when the figure stops falling. */
const measure = async (run: () => Promise<unknown>, count: number): Promise<number> => {
  let last = Infinity
  for (let round = 0; ; round++) {
    const before = readAllocatedBytes()
    for (let each = 0; each < count; each++) await run()
    const bytes = (readAllocatedBytes() - before) / count
    if (round > 3 && (bytes > last * 0.98 || round > 12)) return bytes
    last = bytes
  }
}

const kibibytes = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KiB`

const rows: Array<Record<string, string>> = []
for (const { measured, name, passThrough, perEvent = false } of cases) {
  const count = perEvent ? Math.ceil(requests / 10) : requests
  const allocated = await measure(measured, count)
  const base = passThrough === undefined ? 0 : await measure(passThrough, count)
  const beyond = (allocated - base) / (perEvent ? events : 1)
  rows.push({
    request: name,
    allocated: kibibytes(allocated),
    "pass-through": passThrough === undefined ? "-" : kibibytes(base),
    "beyond it": kibibytes(beyond) + (perEvent ? " an event" : "")
  })
  console.log(`${name}: ${kibibytes(beyond)}${perEvent ? " an event" : ""}`)
}
console.table(rows)
process.exit(0)
