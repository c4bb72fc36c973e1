/** Every status a Decision may be answered with. Source: interface specification, Errors. */
export const errorStatuses = [
  200, 400, 401, 402, 403, 404, 413, 429, 500, 502, 503, 524, 529
] as const

export type ErrorStatus = Exclude<(typeof errorStatuses)[number], 200>
