/** Matches candidates against a guardrail's list of models. */
import type { Candidate } from "../Candidate.ts"

/** Matches slugs and canonical slugs, ignoring case; a base slug includes its variants (`author/name:free`). */
export const makeModelMatcher = (
  slugs: ReadonlyArray<string>
): ((candidate: Candidate) => boolean) => {
  const names = new Set(slugs.map((slug) => slug.toLowerCase()))
  return ({ canonicalModel, endpoint: { model } }) =>
    hasModel(names, model.toLowerCase()) ||
    (canonicalModel !== undefined && hasModel(names, canonicalModel.toLowerCase()))
}

const hasModel = (names: ReadonlySet<string>, slug: string): boolean => {
  if (names.has(slug)) return true
  const colon = slug.lastIndexOf(":")
  return colon > 0 && names.has(slug.slice(0, colon))
}
