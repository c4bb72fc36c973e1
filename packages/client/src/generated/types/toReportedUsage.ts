/** What a provider said about an answer whose usage or cost was capped, for the caller. */

/** As the provider reported it: the counts of the usage, or the cost, whichever was capped. */
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
