/** A chat request in the dialect of its caller. */
import type { Dialect } from "./Dialect.ts"

/** The caller's request, without the fields for the router. */
export interface NativeRequest {
  readonly dialect: Dialect
  readonly body: Readonly<Record<string, unknown>>
}
