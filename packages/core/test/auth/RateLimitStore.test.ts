import { RateLimitStoreContract } from "@signalbox/testing/contracts"
import { RateLimitStore } from "../../src/auth/RateLimitStore.ts"

RateLimitStoreContract("in memory", RateLimitStore.layerMemory)
