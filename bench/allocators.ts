/**
 * Prints the functions in which a request allocates more than its pass-through does. Sampled, so use it to compare
 * functions, and `bytes.ts` for totals.
 *
 * Usage: node bench/allocators.ts [name of a case] [functions] [requests]
 */
import { type HeapProfiler, Session } from "node:inspector/promises"
import { cases } from "./budgets/cases.ts"

const [name = "Decision over HTTP", functions = "60", requests = "1000"] = process.argv.slice(2)
const count = Number(requests)
const chosen = cases.find((each) => each.name === name)
if (chosen === undefined) {
  throw new Error(`no such case; there are ${cases.map((each) => each.name).join(", ")}`)
}

/** Rounds after which V8 has optimized the code. */
const warmUpRounds = 8

/** Bytes of a request by the function that allocates them. */
const sample = async (run: () => Promise<unknown>): Promise<ReadonlyMap<string, number>> => {
  for (let each = 0; each < warmUpRounds * count; each++) await run()
  const session = new Session()
  session.connect()
  await session.post("HeapProfiler.startSampling", {
    samplingInterval: 512,
    includeObjectsCollectedByMajorGC: true,
    includeObjectsCollectedByMinorGC: true
  })
  for (let each = 0; each < count; each++) await run()
  const { profile } = await session.post("HeapProfiler.stopSampling")
  session.disconnect()
  const bytes = new Map<string, number>()
  const visit = (node: HeapProfiler.SamplingHeapProfileNode, caller: string): void => {
    const place = toPlace(node.callFrame, caller)
    bytes.set(place, (bytes.get(place) ?? 0) + node.selfSize / count)
    for (const child of node.children) visit(child, place)
  }
  visit(profile.head, "")
  return bytes
}

/** A built-in function, such as `Map.set`, is listed by its caller. */
const toPlace = (
  { functionName, lineNumber, url }: HeapProfiler.SamplingHeapProfileNode["callFrame"],
  caller: string
): string => {
  if (url === "") return `${functionName} of ${caller}`
  const file = url.replace(/.*\/node_modules\/|.*\/packages\/|.*\/(?=bench\/)/, "")
  return `${functionName || "(anonymous)"} ${file}:${lineNumber + 1}`
}

const base =
  chosen.passThrough === undefined ? new Map<string, number>() : await sample(chosen.passThrough)
const measured = await sample(chosen.measured)
const rows = Array.from(new Set([...base.keys(), ...measured.keys()]), (place) => ({
  place,
  beyond: (measured.get(place) ?? 0) - (base.get(place) ?? 0)
})).toSorted((one, other) => other.beyond - one.beyond)
for (const { beyond, place } of rows.slice(0, Number(functions))) {
  console.log(`${(beyond / 1024).toFixed(2).padStart(7)} KiB ${place}`)
}
process.exit(0)
