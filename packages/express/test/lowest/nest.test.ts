import { installLowest } from "../../../../vitest.lowest.ts"
import { nestContract } from "../nestContract.ts"

const folder = installLowest("nestExpress")
nestContract(folder, 10)
