/** What a path below the mount of the console stands for. */
import type { IncomingRequest, RoutedPath } from "@signalbox/core/adapter"

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const

/** The routes to register with a host's router. */
export const consoleRoutePaths: ReadonlyArray<RoutedPath> = [
  { method: "GET", path: "/" },
  { method: "GET", path: "/session" },
  { method: "GET", path: "/assets/*" },
  ...methods.map((method): RoutedPath => ({ method, path: "/api/v1/*" }))
]

export type ConsolePath =
  | { readonly part: "page" | "session" | "api" }
  | { readonly part: "asset"; readonly name: string }

/** Undefined for everything else. `path` may have a query. */
export const parseConsolePath = (method: string, path: string): ConsolePath | undefined => {
  const [pathname = ""] = path.split("?")
  if (/^\/api\/v1(?:\/|$)/.test(pathname)) return method === "OPTIONS" ? undefined : { part: "api" }
  if (method !== "GET" && method !== "HEAD") return undefined
  if (pathname === "/" || pathname === "") return { part: "page" }
  if (pathname === "/session") return { part: "session" }
  const [, name] = /^\/assets\/([^/]+)$/.exec(pathname) ?? []
  return name === undefined ? undefined : { part: "asset", name }
}

/**
 * Where to redirect a request for the page at the mount without a slash: addresses in the page are relative. The target
 * is relative to the request's address, which a proxy may have changed. Undefined if there is nothing to correct.
 */
export const findSlashRedirect = ({
  mount,
  originalUrl
}: Pick<IncomingRequest, "mount" | "originalUrl">): string | undefined => {
  const [pathname = "", query] = originalUrl.split("?")
  if (mount === "" || pathname.endsWith("/")) return undefined
  const last = mount.slice(mount.lastIndexOf("/") + 1)
  return `./${last}/${query === undefined ? "" : `?${query}`}`
}
