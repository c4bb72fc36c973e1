/** What a plan knows of the conversation that a request continues, so that it stays where its prompt is cached. */

/** What tells the conversation from others: a field of the request, or its first messages. */
export type AffinitySource = "session_id" | "prompt_cache_key" | "opener"

/** Plain numbers and names, so that a plan can be saved and replayed. */
export interface Affinity {
  readonly by: AffinitySource
  /** 32 bits of a hash of account, model and conversation: too few to identify a person. */
  readonly key: number
  /** The id of the candidate of the last success, where that is not the one to which the key leads. */
  readonly pinned?: string
  /** So many requests of the key are under way that this one goes to a later finisher of its race; absent: 0. */
  readonly shift?: number
}

/** A chat that goes where the strategy says, each time anew: it has a source, but no key. */
export interface NoAffinity {
  readonly by: AffinitySource
  readonly key?: never
}

/**
 * Where a conversation went: `placed` by its key or, at other strategies, by their draw; `kept` where its last success was;
 * `moved` from there because that place is not available or the key is hot; `off`: not considered.
 */
export type AffinityOutcome = "placed" | "kept" | "moved" | "off"

/** What a plan did with an affinity. */
export interface PlannedAffinity {
  readonly did: AffinityOutcome
  /** The id of the candidate to which the key leads, even if its endpoint is unhealthy; absent: the strategy draws. */
  readonly home?: string
}
