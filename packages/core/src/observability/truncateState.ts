/** What an audit entry keeps of a state, so that so many entries are at most so many bytes. */

/** UTF-8 bytes of its JSON, names of fields apart. Several hundred models fit in. */
export const maxStateBytes = 32_768

/**
 * Of one that is larger: the fields, or the first items, that fit; in the place of the others a text that
 * says how much was left out.
 */
export const truncateState = (state: unknown): unknown => {
  if (countBytes(state) <= maxStateBytes) return state
  if (Array.isArray(state)) return truncateList(state)
  return typeof state === "object" && state !== null
    ? truncateFields(state)
    : describeOmission(state)
}

const truncateList = (items: ReadonlyArray<unknown>): ReadonlyArray<unknown> => {
  let room = maxStateBytes
  const end = items.findIndex((item) => (room -= countBytes(item) + 1) <= 0)
  return [...items.slice(0, end), `(${items.length - end} more left out)`]
}

const truncateFields = (state: object): object => {
  let room = maxStateBytes
  return Object.fromEntries(
    Object.entries(state).map(([field, value]) => {
      const bytes = countBytes(value)
      if (bytes > room) return [field, describeOmission(value)]
      room -= bytes
      return [field, value]
    })
  )
}

const describeOmission = (value: unknown): string => `(${countBytes(value)} bytes left out)`

const encoder = new TextEncoder()

const countBytes = (value: unknown): number => encoder.encode(JSON.stringify(value)).length
