/**
 * The request body when the host's own parser was faster than we: a value, text or bytes, a stream that a hook of
 * the host has put in its place, or the error it could not be read for. Whatever it is, it is unpacked already.
 */
import * as Context from "effect/Context"

/** A body as the parser of the host left it. */
export interface HostParsedBody {
  readonly value: unknown
}

/** The body that a parser of the host has read already. */
export const HostBody = Context.Reference<HostParsedBody | undefined>(
  "@signalbox/core/http/body/HostBody",
  {
    defaultValue: () => undefined
  }
)
