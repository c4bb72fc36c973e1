/** The two majors of Express, typed as one: what the tests use of them is the same. */
import { createRequire } from "node:module"
import express5 from "express"
import express4 from "express-4"

const require = createRequire(import.meta.url)

export const expressVersions = [
  {
    major: 4,
    version: require("express-4/package.json").version as string,
    express: express4 as unknown as typeof express5
  },
  { major: 5, version: require("express/package.json").version as string, express: express5 }
] as const
