import { createRequire } from "node:module"
import { join } from "node:path"
import { installLowest } from "../../../../vitest.lowest.ts"
import { expressContract } from "../expressContract.ts"
import { loadExpress } from "../expressVersions.ts"

for (const [major, host] of [
  [4, "express4"],
  [5, "express5"]
] as const) {
  const folder = installLowest(host)
  expressContract(loadExpress(major, createRequire(join(folder, "package.json"))))
}
