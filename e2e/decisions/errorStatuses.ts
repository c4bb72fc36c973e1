/** Every status of a Decision: https://openrouter.ai/docs/api-reference/errors. */
export const errorStatuses = [
  200, 400, 401, 402, 403, 404, 413, 429, 500, 502, 503, 524, 529
] as const

export type ErrorStatus = Exclude<(typeof errorStatuses)[number], 200>
