/** A chat request in the dialect of its caller. */
import type { Dialect } from "./Dialect.ts"

/** What the caller wrote, without the fields that are for the router. */
export interface NativeRequest {
  readonly dialect: Dialect
  readonly body: Readonly<Record<string, unknown>>
}
