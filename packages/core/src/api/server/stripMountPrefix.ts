/** Strips the mount from the path of a request. */

/** `path` relative to `mount`; undefined if it is outside. Keeps the query and decodes nothing. */
export const stripMountPrefix = (path: string, mount: string): string | undefined => {
  if (mount === "") return path
  if (!path.startsWith(mount)) return undefined
  const rest = path.slice(mount.length)
  if (rest === "") return "/"
  if (rest.startsWith("?")) return `/${rest}`
  return rest.startsWith("/") ? rest : undefined
}
