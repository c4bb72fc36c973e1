/** Limits the 1xx answers before an answer, because each of them costs. */

/** A server that says every few seconds that it is working on it says so less often. */
export const maxInformational = 256

export const makeTooManyInformational = (): Error =>
  Object.assign(new Error("too many 1xx answers"), { code: "ERR_TOO_MANY_1XX" })
