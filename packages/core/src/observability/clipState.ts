/** What an audit entry keeps of a state, so that so many entries are at most so many bytes. */

/** UTF-8 bytes of its JSON, names of fields apart. Several hundred models fit in. */
export const longestState = 32_768

/**
 * Of one that is larger: the fields, or the first items, that fit; in the place of the others a text that
 * says how much was left out.
 */
export const clipState = (state: unknown): unknown => {
  if (bytesOf(state) <= longestState) return state
  if (Array.isArray(state)) return clipList(state)
  return typeof state === "object" && state !== null ? clipFields(state) : leftOut(state)
}

const clipList = (items: ReadonlyArray<unknown>): ReadonlyArray<unknown> => {
  let room = longestState
  const end = items.findIndex((item) => (room -= bytesOf(item) + 1) <= 0)
  return [...items.slice(0, end), `(${items.length - end} more left out)`]
}

const clipFields = (state: object): object => {
  let room = longestState
  return Object.fromEntries(
    Object.entries(state).map(([field, value]) => {
      const bytes = bytesOf(value)
      if (bytes > room) return [field, leftOut(value)]
      room -= bytes
      return [field, value]
    })
  )
}

const leftOut = (value: unknown): string => `(${bytesOf(value)} bytes left out)`

const encoder = new TextEncoder()

const bytesOf = (value: unknown): number => encoder.encode(JSON.stringify(value)).length
