/** Answers that are cached for too long. */
import { ResponseCacheStore } from "@signalbox/core/stores"
import * as Context from "effect/Context"
import type { PlantedFault } from "./PlantedFault.ts"

export const cacheFaults: ReadonlyArray<PlantedFault> = [
  {
    name: "a process does not see that a cached answer is from its future",
    breaks: "cachedAnswerExpires",
    database: (stores) => {
      const cache = Context.get(stores, ResponseCacheStore)
      return Context.add(stores, ResponseCacheStore, {
        ...cache,
        put: (answer) =>
          cache.put({ ...answer, text: answer.text.replace(/"storedAt":\d+/, '"storedAt":0') })
      })
    }
  }
]
