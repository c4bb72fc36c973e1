/** Where the host mounted us, such as `/ai`; empty at the root. Paths in answers start with it. */
import * as Context from "effect/Context"

/** The path the host serves the routes below, such as `/ai`; empty at the root. */
export const Mount: Context.Reference<string> = Context.Reference(
  "@signalbox/core/http/server/Mount",
  {
    defaultValue: () => ""
  }
)

/** A mount as people write it (`/ai/`, `ai`, `/`) the way it is kept: `/ai`, or empty at the root. */
export const toMountPrefix = (path: string): string => {
  const trimmed = path.replace(/^\/+|\/+$/g, "")
  return trimmed === "" ? "" : `/${trimmed}`
}
