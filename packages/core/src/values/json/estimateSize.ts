/** The approximate size of a JSON value in characters, names included: what it takes to keep it in memory. */
export const estimateSize = (value: unknown): number => {
  if (typeof value === "string") return value.length
  if (typeof value !== "object" || value === null) return scalarSize
  let size = scalarSize
  for (const name of Object.keys(value))
    size += name.length + estimateSize(Reflect.get(value, name))
  return size
}

/** A number, a comma, a pair of braces. */
const scalarSize = 4
