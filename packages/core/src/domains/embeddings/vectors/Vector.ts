/** The vector of one input in the form that the caller gets: numbers, or base64 of little-endian float32. */
export type Vector = ReadonlyArray<number> | string
