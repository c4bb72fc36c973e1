/** Reads a list of untrusted JSON; a value that is not a list counts as an empty one. */
export const toList = (value: unknown): ReadonlyArray<unknown> =>
  Array.isArray(value) ? value : none

const none: ReadonlyArray<unknown> = []
