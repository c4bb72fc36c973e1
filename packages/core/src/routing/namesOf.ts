/** What the slugs of `only`, `ignore` and `order` may call an endpoint. Sources: semantics A2, wire facts. */
import type { Endpoint } from "../catalog/Endpoint.ts"

/**
 * A base slug (`google-vertex`) means every variant and region, a full one (`google-vertex/us-east5`)
 * that one; clients also send display names (`Google Vertex`). Service tiers must be named in full: the
 * base slug does not reach them. In lower case: case does not matter.
 */
export const namesOf = (
  { tag, tier }: Pick<Endpoint, "tag" | "tier">,
  providerName: string
): ReadonlyArray<string> => {
  const full = tag.toLowerCase()
  if (tier !== "default") return [full]
  const parts = full.split("/")
  const slugs = parts.map((_, i) => parts.slice(0, parts.length - i).join("/"))
  return Array.from(new Set([...slugs, providerName.toLowerCase()]))
}
