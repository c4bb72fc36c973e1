/** Whether a slug of `only`, `ignore` or `order` means a candidate. Source: semantics A2, wire facts. */
import type { Candidate } from "./Candidate.ts"

/** Service tiers must be named in full: the base slug does not reach them. */
const tiers: ReadonlySet<string> = new Set(["flex", "priority"])

/**
 * A base slug (`google-vertex`) means every variant and region, a full one (`google-vertex/us-east5`)
 * that one; clients also send display names (`Google Vertex`). Case does not matter.
 */
export const matchesSlug = (candidate: Candidate, slug: string): boolean => {
  const wanted = slug.toLowerCase()
  const tag = candidate.endpoint.tag.toLowerCase()
  if (tag === wanted) return true
  if (tiers.has(tag.slice(tag.lastIndexOf("/") + 1))) return false
  return tag.startsWith(`${wanted}/`) || candidate.providerName.toLowerCase() === wanted
}
