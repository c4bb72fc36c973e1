import { installLowest } from "../../../../vitest.lowest.ts"
import { nestContract } from "../nestContract.ts"

const folder = installLowest("nestFastify")
nestContract(folder, 10)
