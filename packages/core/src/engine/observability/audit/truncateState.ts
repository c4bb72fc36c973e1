/** Bounds the size of a state in an audit entry. */
import { countJsonBytes } from "../../../values/json/countJsonBytes.ts"

/** UTF-8 bytes of the JSON of a state without its field names; enough for several hundred models. */
export const maxStateBytes = 32_768

/** Keeps the fields, or the first items, that fit; a text with the omitted size replaces the others. */
export const truncateState = (state: unknown): unknown => {
  if (state === undefined || countJsonBytes(state) <= maxStateBytes) return state
  if (Array.isArray(state)) return truncateList(state)
  return typeof state === "object" && state !== null
    ? truncateFields(state)
    : describeOmission(state)
}

const truncateList = (items: ReadonlyArray<unknown>): ReadonlyArray<unknown> => {
  let room = maxStateBytes
  const end = items.findIndex((item) => (room -= countJsonBytes(item) + 1) <= 0)
  return [...items.slice(0, end), `(${items.length - end} more left out)`]
}

const truncateFields = (state: object): object => {
  let room = maxStateBytes
  return Object.fromEntries(
    Object.entries(state).map(([field, value]) => {
      const bytes = countJsonBytes(value)
      if (bytes > room) return [field, describeOmission(value)]
      room -= bytes
      return [field, value]
    })
  )
}

const describeOmission = (value: unknown): string => `(${countJsonBytes(value)} bytes left out)`
