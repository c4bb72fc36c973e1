/** What a provider was seen to do by itself for an answer. */
export interface ServerCalls {
  /** Calls of tools that it ran. Each may have made the model read the conversation again. */
  readonly calls: number
  /** The calls among them that searched the web. */
  readonly webSearches: number
}
