import { join } from "node:path"
import { fastifyContract } from "./fastifyContract.ts"

fastifyContract(join(import.meta.dirname, ".."), 5)
