/** Whether an endpoint runs where data may go. Source: wire, GuardrailDataRegion. */

/**
 * As guardrails and the catalog call a region, and as endpoints do: the region itself, or a place in it such as
 * `eu-west-1`.
 */
const namesOf: Readonly<Record<string, ReadonlyArray<string>>> = {
  eu: ["eu", "europe"],
  europe: ["eu", "europe"],
  us: ["us"]
}

/** `global` is anywhere. Who does not say where it runs is in no other region. */
export const inRegion = (allowed: ReadonlyArray<string>, region: string | undefined): boolean => {
  if (allowed.includes("global")) return true
  const place = region?.toLowerCase()
  return allowed
    .flatMap((name) => namesOf[name] ?? [name])
    .some((name) => place === name || place?.startsWith(`${name}-`) === true)
}
