/** How a name is in texts that this package writes. */
import { renameCounterKey, type Renaming } from "@signalbox/core/stores"
import { fromKeyText, toKeyText } from "../rows/toKeyText.ts"

/** JSON in a text of JSON. */
export const toQuoted = (json: string): string => JSON.stringify(json).slice(1, -1)

/** The key of a counter in its column. */
export const renameStoredKey = (key: string, renaming: Renaming): string =>
  toKeyText(renameCounterKey(fromKeyText(key), renaming))
