/** What a request needs of an endpoint, whatever the operation. */
export interface Demand {
  /** Parameters the request supplies and `require_parameters` insists on. */
  readonly parameters: ReadonlyArray<string>
  /** Estimated tokens of the prompt. */
  readonly inputTokens: number
  /** Estimated tokens of the answer. */
  readonly outputTokens: number
}
