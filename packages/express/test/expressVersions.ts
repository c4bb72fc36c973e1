/** Versions of Express, typed as the current one: what the tests use of them is the same. */
import { createRequire } from "node:module"
import type express from "express"

export interface ExpressVersion {
  readonly major: number
  readonly version: string
  readonly express: typeof express
}

/** `name` is the package's name, or its alias. */
export const loadExpress = (
  major: number,
  require: NodeJS.Require,
  name = "express"
): ExpressVersion => ({
  major,
  version: require(`${name}/package.json`).version,
  express: require(name)
})

const require = createRequire(import.meta.url)

/** The current version of each major. */
export const expressVersions: ReadonlyArray<ExpressVersion> = [
  loadExpress(4, require, "express-4"),
  loadExpress(5, require)
]
