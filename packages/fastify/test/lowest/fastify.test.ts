import { installLowest } from "../../../../vitest.lowest.ts"
import { fastifyContract } from "../fastifyContract.ts"

fastifyContract(installLowest("fastify4"), 4)
fastifyContract(installLowest("fastify5"), 5)
