/** The fields at the top of a body that its operation does not have. */

/** Undefined without unknown fields, as for most bodies. */
export const listUnknownFields = (
  body: Readonly<Record<string, unknown>>,
  known: Readonly<Record<string, unknown>>
): ReadonlyArray<string> | undefined => {
  let unknown: Array<string> | undefined
  for (const name of Object.keys(body)) {
    if (!Object.hasOwn(known, name)) (unknown ??= []).push(name)
  }
  return unknown
}
