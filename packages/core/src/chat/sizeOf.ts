/** About how many characters a JSON value holds, its names included: what it takes to keep it. */
export const sizeOf = (value: unknown): number => {
  if (typeof value === "string") return value.length
  if (typeof value !== "object" || value === null) return scalar
  let size = scalar
  for (const name of Object.keys(value)) size += name.length + sizeOf(Reflect.get(value, name))
  return size
}

/** A number, a comma, a pair of braces. */
const scalar = 4
