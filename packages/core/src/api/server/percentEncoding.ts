/** Detects and escapes paths with invalid percent-encoding, which routers handle differently. */

export const hasMalformedEncoding = (path: string): boolean => {
  if (!path.includes("%")) return false
  try {
    decodeURIComponent(path)
    return false
  } catch {
    return true
  }
}

/** Escapes every `%` in the path of a request target, so that any router accepts it. Keeps the query. */
export const escapePercents = (target: string): string => {
  const [path = ""] = target.split("?")
  return path.replaceAll("%", "%25") + target.slice(path.length)
}
