/** Copies an object as JSON, which metadata of Effect's AI services consists of. */
import type * as Schema from "effect/Schema"

/** Without fields that are undefined. */
export const toMutableJson = (value: object): { [name: string]: Schema.MutableJson } =>
  // What JSON.parse returns is JSON.
  JSON.parse(JSON.stringify(value)) as { [name: string]: Schema.MutableJson }
