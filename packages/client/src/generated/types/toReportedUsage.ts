/** The provider's report about an answer whose usage or cost was capped, for the caller. */

/** What the provider reported before a cap was applied: the counts of the usage, or the cost. */
export interface ReportedUsage {
  readonly prompt_tokens?: number
  readonly completion_tokens?: number
  readonly total_tokens?: number
  readonly prompt_tokens_details?: Readonly<Record<string, number>>
  readonly completion_tokens_details?: Readonly<Record<string, number>>
  readonly server_tool_use?: { readonly web_search_requests: number }
  /** USD. */
  readonly cost?: number
}
