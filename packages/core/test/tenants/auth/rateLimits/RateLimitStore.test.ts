import { RateLimitStoreContract } from "@signalbox/testing/contracts"
import { memoryRateLimitStore } from "../../../../src/memory/memoryRateLimitStore.ts"

RateLimitStoreContract("in memory", memoryRateLimitStore)
