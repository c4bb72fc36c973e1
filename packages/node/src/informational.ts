/** Limits the 1xx answers before an answer, because each of them costs. */

/** Far more than a server needs that reports every few seconds that it is still working. */
export const maxInformational = 256

export const makeTooManyInformational = (): Error =>
  Object.assign(new Error("too many 1xx answers"), { code: "ERR_TOO_MANY_1XX" })
