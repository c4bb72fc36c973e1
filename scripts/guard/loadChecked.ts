/** Checks the versions of Node and Effect before it loads an entry point, so that a wrong version is the first error. */
import { createRequire } from "node:module"

export interface Requirements {
  /** The name of the package. */
  readonly name: string
  /** The lowest version of Node, such as `22.19.0`. */
  readonly node: string
  /** The lowest version of `effect`; the same major version is needed. */
  readonly effect: string
}

/**
 * Static imports are linked before any code runs, and Effect 3 lacks the imported modules, so a check before them would
 * run too late. `url` is the URL of the calling module; `entry` is relative to it.
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
    // effect is not installed.
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
