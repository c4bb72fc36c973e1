/** Whether an endpoint runs in an allowed data region. */

/**
 * The names of regions in guardrails and the catalog, with the names that endpoints use: the region or a zone such as
 * `eu-west-1`.
 */
const regionNames: Readonly<Record<string, ReadonlyArray<string>>> = {
  eu: ["eu", "europe"],
  europe: ["eu", "europe"],
  us: ["us"]
}

/** `global` matches every endpoint; other regions exclude an endpoint without a region. */
export const isInRegion = (allowed: ReadonlyArray<string>, region: string | undefined): boolean => {
  if (allowed.includes("global")) return true
  const lowerCaseRegion = region?.toLowerCase()
  return allowed
    .flatMap((name) => regionNames[name] ?? [name])
    .some((name) => lowerCaseRegion === name || lowerCaseRegion?.startsWith(`${name}-`) === true)
}
