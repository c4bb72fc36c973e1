import { join } from "node:path"
import { nestContract } from "./nestContract.ts"

nestContract(join(import.meta.dirname, ".."), 12)
