import { countUtf8Bytes } from "./countUtf8Bytes.ts"

/** The UTF-8 bytes of the JSON of a value, computed at once; `measureJson` yields to the event loop. */
export const countJsonBytes = (value: unknown): number => countUtf8Bytes(JSON.stringify(value))
