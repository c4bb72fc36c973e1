/** The statuses of errors that operations declare. `npm run docs` writes this file from the contract. */

/** A status of an error. */
export type ErrorStatus =
  | 400
  | 401
  | 402
  | 403
  | 404
  | 408
  | 409
  | 410
  | 413
  | 415
  | 416
  | 429
  | 500
  | 502
  | 503
  | 504
  | 524
  | 529
