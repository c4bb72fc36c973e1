/** Paths that are not valid percent-encoding: routers refuse them in their own words, or not at all. */

export const hasMalformedEncoding = (path: string): boolean => {
  if (!path.includes("%")) return false
  try {
    decodeURIComponent(path)
    return false
  } catch {
    return true
  }
}

/** The same target with every `%` of its path escaped, so that a router takes it. The query is kept. */
export const escapePercents = (target: string): string => {
  const [path = ""] = target.split("?")
  return path.replaceAll("%", "%25") + target.slice(path.length)
}
