/**
 * The request body when the host's own parser was faster than we: a value, text or bytes, or the
 * error it could not be read for.
 */
import * as Context from "effect/Context"

export interface ReadByHost {
  readonly value: unknown
}

export const HostBody = Context.Reference<ReadByHost | undefined>("@signalbox/core/http/HostBody", {
  defaultValue: () => undefined
})
