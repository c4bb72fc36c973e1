/**
 * The request body if the host has read it already: a value, text, bytes, a stream that a host hook put in its
 * place, or the error of reading it. It is always decompressed.
 */
import * as Context from "effect/Context"

/** A body as the host's parser left it. */
export interface HostParsedBody {
  readonly value: unknown
}

/** Undefined if the host has not read the body. */
export const HostBody = Context.Reference<HostParsedBody | undefined>(
  "@signalbox/core/api/body/HostBody",
  {
    defaultValue: () => undefined
  }
)
