/** A list of slugs as `only`, `ignore` and `order` hold them, ready to be asked for each candidate. */
import type { Candidate } from "../Candidate.ts"

export interface SlugList {
  readonly slugs: ReadonlyArray<string>
  /** Whether one of the slugs asks for the candidate. */
  readonly has: (candidate: Candidate) => boolean
  /** Whether one of the slugs means the candidate, or the provider it is a service tier of. */
  readonly hasProvider: (candidate: Candidate) => boolean
  /** The place of the first slug that means it; the length of the list when none does. */
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
