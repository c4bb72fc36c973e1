import { pickScope } from "../../../vitest.scope.ts"
import { expressContract } from "./expressContract.ts"
import { expressVersions } from "./expressVersions.ts"

for (const version of pickScope({ full: expressVersions, sample: expressVersions.slice(1) })) {
  expressContract(version)
}
