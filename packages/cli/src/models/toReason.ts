/** Why the core refuses a model, on one line and without its name, which stands beside it. Other errors are thrown. */
export const toReason = (error: unknown): string => {
  if (!(error instanceof RangeError)) throw error
  return error.message
    .replace(/^models\.0(\.endpoints\.0)?: /, "")
    .replace(/^(model |endpoint )?"[^"]*": /, "")
    .replaceAll(/\s*\n\s*/g, " ")
}
