/** Moves the entries of `extra` beside the other fields of a request, as the HTTP API takes them. */

/** Throws a `TypeError` for a name that is in both, because one of the two values would be lost. */
export const flattenExtra = (request: {
  readonly extra?: Readonly<Record<string, unknown>>
}): Readonly<Record<string, unknown>> => {
  const { extra = {}, ...rest } = request
  for (const name of Object.keys(extra)) {
    if (Object.hasOwn(rest, name) || name === "stream") {
      throw new TypeError(`${name} belongs beside extra, once`)
    }
  }
  // A spread would set the prototype for the key `__proto__`.
  return Object.fromEntries([...Object.entries(rest), ...Object.entries(extra)])
}
