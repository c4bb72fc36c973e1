/** Caches the facts about models, which would otherwise be looked up in tables for each request. */
import { setMostRecent } from "../values/setMostRecent.ts"

/** More than an upstream sells. */
const maxModels = 1_000

/** `find`, called once for each name. */
export const rememberModels = <A extends object>(
  find: (name: string) => A
): ((name: string) => A) => {
  const known = new Map<string, A>()
  return (name) => {
    const remembered = known.get(name)
    if (remembered !== undefined) return remembered
    const found = find(name)
    setMostRecent(known, name, found, maxModels)
    return found
  }
}
