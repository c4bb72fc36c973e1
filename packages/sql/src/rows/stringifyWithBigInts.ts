/** Encodes JSON in which a `bigint` is a string of digits. */
export const stringifyWithBigInts = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) =>
    typeof member === "bigint" ? member.toString() : member
  )
