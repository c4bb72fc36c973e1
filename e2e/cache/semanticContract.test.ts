/** The semantic cache of the tests keeps the contract of the port. */
import { SemanticCacheContract } from "@signalbox/testing/contracts"
import { WordCache } from "./WordCache.ts"

SemanticCacheContract("by words", () => new WordCache())
