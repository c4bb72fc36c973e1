/** The machine-readable part of a refusal: what kind of error, and why nobody was available. */

/** Availability codes after which the same request may succeed later. Source: semantics A7. */
const retryableCodes: ReadonlySet<string> = new Set([
  "capacity_exhausted",
  "temporarily_unavailable",
  "provider_overloaded",
  "provider_unavailable",
  "timeout"
])

/** `errorType` and `code` are the vocabularies of semantics A7. */
export const toAvailabilityMetadata = (
  errorType: string,
  code: string,
  models: ReadonlyArray<string>
) => ({
  error_type: errorType,
  availability: { code, retryable: retryableCodes.has(code), requested_models: models }
})
