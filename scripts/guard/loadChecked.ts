/** Loads an entry of a published package once the Node and the Effect it needs are there: their absence is the first error, and says so. */
import { createRequire } from "node:module"

export interface Requirements {
  /** The package that asks. */
  readonly name: string
  /** The lowest version of Node, such as `22.19.0`. */
  readonly node: string
  /** The lowest version of `effect`; the same major version is needed. */
  readonly effect: string
}

/**
 * Imports are linked before anything runs, and Effect 3 has not the modules that are imported: a check in front of
 * static imports would come too late. `url` is that of the module that calls this, `entry` is relative to it.
 */
export const loadChecked = (
  url: string,
  entry: string,
  needs: Requirements
): Record<string, unknown> => {
  const require = createRequire(url)
  const { node } = process.versions
  if (!isEnough(node, needs.node)) {
    throw new Error(`${needs.name} needs Node ${needs.node} or newer; this is Node ${node}.`)
  }
  let effect: string | undefined
  try {
    effect = (require("effect/package.json") as { readonly version: string }).version
  } catch {
    // Nothing is installed by this name.
  }
  const least = needs.effect.split(".")[0]
  if (effect === undefined || !isEnough(effect, needs.effect) || effect.split(".")[0] !== least) {
    const found = effect === undefined ? "there is none" : `there is effect ${effect}`
    throw new Error(
      `${needs.name} needs effect ^${needs.effect}; ${found}. Run: npm install effect@^${needs.effect}`
    )
  }
  return require(entry) as Record<string, unknown>
}

const isEnough = (version: string, least: string): boolean => {
  const [major = 0, minor = 0, patch = 0] = toNumbers(version)
  const [leastMajor = 0, leastMinor = 0, leastPatch = 0] = toNumbers(least)
  if (major !== leastMajor) return major > leastMajor
  return minor === leastMinor ? patch >= leastPatch : minor > leastMinor
}

const toNumbers = (version: string): ReadonlyArray<number> =>
  version.split(".").map((part) => Number.parseInt(part, 10))
