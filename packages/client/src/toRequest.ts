/** Splits the input of an operation into path, query and body. */

/** `route` has the form of `Connection`'s routes. Throws a `TypeError` for a path parameter that is missing. */
export const toRequest = (route: string, input: object | undefined) => {
  const [method = "", template = ""] = route.split(" ")
  const [operationPath = "", listed] = template.split("?")
  const rest = new Map<string, unknown>(Object.entries(input ?? {}))
  const take = (name: string): unknown => {
    const value = rest.get(name)
    rest.delete(name)
    return value
  }
  const path = operationPath.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = take(name)
    // An empty segment would be the path of another operation.
    if (typeof value !== "string" || value === "" || value === "." || value === "..") {
      throw new TypeError(`${name} must be a text that is not empty`)
    }
    return encodeURIComponent(value)
  })
  const query = new URLSearchParams()
  for (const name of method === "GET" ? [...rest.keys()] : (listed?.split(",") ?? [])) {
    const value = take(name)
    if (value !== undefined && value !== null) query.append(name, toText(value))
  }
  return {
    method,
    operation: `${method} ${operationPath}`,
    url: query.size === 0 ? path : `${path}?${query.toString()}`,
    // Object.fromEntries keeps the key `__proto__`.
    body: rest.size === 0 ? undefined : JSON.stringify(Object.fromEntries(rest))
  }
}

/** Lists are separated by commas. */
const toText = (value: unknown): string =>
  Array.isArray(value)
    ? value.map(toText).join(",")
    : typeof value === "string"
      ? value
      : JSON.stringify(value)
