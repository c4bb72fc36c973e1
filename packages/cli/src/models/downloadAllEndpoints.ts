/** Reads the endpoints of many models, a few at a time. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { showProgress } from "../output/progress.ts"
import type { CatalogServer } from "./fetchJson.ts"
import { downloadEndpoints } from "./ListedEndpoint.ts"

/** More would only meet the rate limit of the server. */
const concurrency = 4

/** By model; a failure says why its endpoints could not be read. */
export const downloadAllEndpoints = (server: CatalogServer, ids: ReadonlyArray<string>) => {
  let done = 0
  const downloadOne = (id: string) =>
    Effect.map(Effect.result(downloadEndpoints(server, id)), (endpoints) => {
      done += 1
      showProgress(`Reading endpoints: ${done} of ${ids.length} models`)
      return [id, Result.mapError(endpoints, ({ message }) => message)] as const
    })
  return Effect.map(
    Effect.forEach(ids, downloadOne, { concurrency }),
    (endpoints) => new Map(endpoints)
  )
}
