/** Classifies the message of an error by the first phrase that it contains. */
import type { FailureKind } from "../engine/upstreams/failures/UpstreamFailure.ts"
import { maxScannedCharacters } from "../engine/upstreams/failures/parseUpstreamError.ts"

export const findByPhrase = (
  phrases: ReadonlyArray<readonly [RegExp, FailureKind]>,
  message: string | undefined
): FailureKind | undefined => {
  const start = message?.slice(0, maxScannedCharacters) ?? ""
  return phrases.find(([phrase]) => phrase.test(start))?.[1]
}

/** The value with the longest key that one of `names` begins with; of equal ones the last. */
export const findLongestStart = <A>(
  names: ReadonlyArray<string>,
  table: ReadonlyArray<readonly [start: string, value: A]>
): A | undefined =>
  table
    .filter(([start]) => names.some((name) => name.startsWith(start)))
    .reduce<readonly [string, A] | undefined>(
      (longest, each) =>
        longest !== undefined && longest[0].length > each[0].length ? longest : each,
      undefined
    )?.[1]
