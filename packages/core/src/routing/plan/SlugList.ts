/** A list of slugs of `only`, `ignore` or `order`, prepared for matching candidates. */
import type { Candidate } from "../Candidate.ts"

export interface SlugList {
  readonly slugs: ReadonlyArray<string>
  /** Whether one of the slugs names the candidate. */
  readonly has: (candidate: Candidate) => boolean
  /** Whether one of the slugs names the candidate, or the provider of its service tier. */
  readonly hasProvider: (candidate: Candidate) => boolean
  /** The position of the first slug that names it; the length of the list when none does. */
  readonly indexOf: (candidate: Candidate) => number
}

export const makeSlugList = (slugs: ReadonlyArray<string>): SlugList => {
  const indexes = new Map<string, number>()
  for (const [place, slug] of slugs.entries()) {
    const name = slug.toLowerCase()
    if (!indexes.has(name)) indexes.set(name, place)
  }
  return {
    slugs,
    has: ({ names }) => names.some((name) => indexes.has(name)),
    hasProvider: ({ providerNames }) => providerNames.some((name) => indexes.has(name)),
    indexOf: ({ names }) =>
      names.reduce((least, name) => Math.min(least, indexes.get(name) ?? least), slugs.length)
  }
}
