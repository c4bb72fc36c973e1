/** Where an instance is mounted in its host. */
import * as Context from "effect/Context"

/** The mount prefix, such as `/ai`; empty at the root. Paths in responses start with it. */
export const Mount: Context.Reference<string> = Context.Reference(
  "@signalbox/core/api/server/Mount",
  {
    defaultValue: () => ""
  }
)

/** The request of a host that makes web-standard ones of its own; default: the web-standard request. */
export const HostRequest: Context.Reference<object | undefined> = Context.Reference(
  "@signalbox/core/api/server/HostRequest",
  {
    defaultValue: (): object | undefined => undefined
  }
)

/** Normalizes a mount such as `/ai/`, `ai` or `/` to `/ai`, or to the empty string for the root. */
export const toMountPrefix = (path: string): string => {
  const trimmed = path.replace(/^\/+|\/+$/g, "")
  return trimmed === "" ? "" : `/${trimmed}`
}

/** `path` relative to `mount`; undefined if it is outside. Keeps the query and decodes nothing. */
export const stripMountPrefix = (path: string, mount: string): string | undefined => {
  if (mount === "") return path
  if (!path.startsWith(mount)) return undefined
  const rest = path.slice(mount.length)
  if (rest === "") return "/"
  if (rest.startsWith("?")) return `/${rest}`
  return rest.startsWith("/") ? rest : undefined
}
