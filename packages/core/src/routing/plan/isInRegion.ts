/** Whether an endpoint runs in an allowed data region. */

/**
 * As guardrails and the catalog call a region, and as endpoints do: the region itself, or a place in it such as
 * `eu-west-1`.
 */
const regionNames: Readonly<Record<string, ReadonlyArray<string>>> = {
  eu: ["eu", "europe"],
  europe: ["eu", "europe"],
  us: ["us"]
}

/** `global` is anywhere. Who does not say where it runs is in no other region. */
export const isInRegion = (allowed: ReadonlyArray<string>, region: string | undefined): boolean => {
  if (allowed.includes("global")) return true
  const lowerCaseRegion = region?.toLowerCase()
  return allowed
    .flatMap((name) => regionNames[name] ?? [name])
    .some((name) => lowerCaseRegion === name || lowerCaseRegion?.startsWith(`${name}-`) === true)
}
