/** The query of the requests since an interval of spending began. */

/** `beganAt` is ISO 8601; null for an interval that never ends, undefined while it is not known. */
export const toWindowQuery = (
  beganAt: string | null | undefined,
  now: number
): Record<"from" | "range" | "to", string | undefined> =>
  // What is kept of requests may begin later.
  beganAt == null
    ? { range: "30d", from: undefined, to: undefined }
    : {
        range: undefined,
        from: beganAt,
        to: new Date(Math.ceil(now / 60_000) * 60_000).toISOString()
      }
