/** What the processes of a fleet should have in common and do not, in sentences. Pure. */
import type { FleetProcess } from "./FleetProcess.ts"

type Compared = Pick<FleetProcess, "configuration" | "is_lost" | "version">

/** Of those that report; empty: they are alike. */
export const describeDifferences = (processes: ReadonlyArray<Compared>): ReadonlyArray<string> => {
  const live = processes.filter(({ is_lost: isLost }) => !isLost)
  const versions = countEach(live.map(({ version }) => version))
  const configurations = countEach(live.map(({ configuration }) => configuration.fingerprint))
  return [
    ...(versions.size > 1
      ? [
          `Processes run different versions: ${describe(versions)}. During a roll-out that is as it should be.`
        ]
      : []),
    ...(configurations.size > 1
      ? [
          `Processes serve different configurations: ${describe(configurations)}. Call replace() in each of them.`
        ]
      : [])
  ]
}

const countEach = (texts: ReadonlyArray<string>): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return counts
}

/** "1.2.0 in 3, 1.3.0 in 1". */
const describe = (counts: ReadonlyMap<string, number>): string =>
  Array.from(counts, ([text, count]) => `${text} in ${count}`).join(", ")
