/** The names by which `only`, `ignore` and `order` may refer to an endpoint. */
import type { Endpoint } from "../catalog/Endpoint.ts"

type NamedEndpoint = Pick<Endpoint, "tag" | "tier">

/**
 * A base slug (`google-vertex`) means every variant and region, a full one (`google-vertex/us-east5`)
 * that one; clients also send display names (`Google Vertex`). Who asks for a service tier must name it
 * in full: the base slug does not reach it. In lower case: case does not matter.
 */
export const listMatchingNames = (
  endpoint: NamedEndpoint,
  providerName: string
): ReadonlyArray<string> =>
  endpoint.tier === "default"
    ? listProviderNames(endpoint, providerName)
    : [endpoint.tag.toLowerCase()]

/** What a restriction may call it: who allows or bars a provider means its service tiers too. */
export const listProviderNames = (
  { tag }: NamedEndpoint,
  providerName: string
): ReadonlyArray<string> => {
  const parts = tag.toLowerCase().split("/")
  const slugs = parts.map((_, i) => parts.slice(0, parts.length - i).join("/"))
  return Array.from(new Set([...slugs, providerName.toLowerCase()]))
}
