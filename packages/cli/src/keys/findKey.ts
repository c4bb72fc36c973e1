/** Finds a key by its hash, the beginning of it, or its name. */
import { escapeControls } from "@signalbox/core/render"
import type { Key } from "@signalbox/client"
import * as Result from "effect/Result"

/** Fails with what to do when none or several are meant. */
export const findKey = <K extends Pick<Key, "hash" | "name">>(
  keys: ReadonlyArray<K>,
  text: string
): Result.Result<K, string> => {
  const exact = keys.find(({ hash }) => hash === text)
  if (exact !== undefined) return Result.succeed(exact)
  const isHashStart = /^[0-9a-f]{4,}$/.test(text)
  const meant = keys.filter(
    ({ hash, name }) => name === text || (isHashStart && hash.startsWith(text))
  )
  const [only, ...others] = meant
  if (only === undefined) {
    return Result.fail(`No key has the name or hash "${text}": signalbox keys list shows them`)
  }
  return others.length === 0
    ? Result.succeed(only)
    : Result.fail(
        `"${text}" may mean ${meant.length} keys, so name one by its hash:\n${meant.map(({ hash, name }) => `  ${hash}  ${escapeControls(name)}`).join("\n")}`
      )
}
