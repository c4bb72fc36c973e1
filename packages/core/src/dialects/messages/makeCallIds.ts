/** Ids for the calls of an answer, of which servers may write none, or the same for two. */
import { drawCallIdStem, findRandom } from "../../engine/upstreams/callIdStems.ts"

/** The id as it was written, or one made up. */
export type CallIds = (written: unknown) => string

/** Makes the ids of one answer. */
export const makeCallIds = (): CallIds => {
  const ids = new Set<string>()
  let stem: string | undefined
  return (written) => {
    let id = typeof written === "string" ? written : ""
    if (id === "" || ids.has(id)) {
      stem ??= drawCallIdStem(findRandom())
      id = `toolu_${stem}_${ids.size}`
    }
    ids.add(id)
    return id
  }
}
