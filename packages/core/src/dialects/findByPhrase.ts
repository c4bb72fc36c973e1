/** Classifies the message of an error by the first phrase that it contains. */
import type { FailureKind } from "../engine/upstreams/failures/UpstreamFailure.ts"
import { maxScannedCharacters } from "../engine/upstreams/failures/toResponseFailure.ts"

export const findByPhrase = (
  phrases: ReadonlyArray<readonly [RegExp, FailureKind]>,
  message: string | undefined
): FailureKind | undefined => {
  const start = message?.slice(0, maxScannedCharacters) ?? ""
  return phrases.find(([phrase]) => phrase.test(start))?.[1]
}
