/** The mount: the path prefix under which the host serves the HTTP API. */
import * as Context from "effect/Context"

/** The mount prefix, such as `/ai`; empty at the root. Paths in responses start with it. */
export const Mount: Context.Reference<string> = Context.Reference(
  "@signalbox/core/http/server/Mount",
  {
    defaultValue: () => ""
  }
)

/** Normalizes a mount such as `/ai/`, `ai` or `/` to `/ai`, or to the empty string for the root. */
export const toMountPrefix = (path: string): string => {
  const trimmed = path.replace(/^\/+|\/+$/g, "")
  return trimmed === "" ? "" : `/${trimmed}`
}
