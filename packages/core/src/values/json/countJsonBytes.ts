const encoder = new TextEncoder()

/** The UTF-8 bytes of the JSON of a value, computed at once; `measureJson` yields to the event loop. */
export const countJsonBytes = (value: unknown): number =>
  encoder.encode(JSON.stringify(value)).length
