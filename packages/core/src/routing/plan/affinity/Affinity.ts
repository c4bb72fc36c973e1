/** What a plan knows of the conversation that a request continues, so that it stays where its prompt is cached. */
import { type Candidate, isByok } from "../../Candidate.ts"
import { findContenders, moveFirst, type RankedCandidate } from "../ranking/rankCandidates.ts"
import { findRaceWinner } from "./findHome.ts"

/** What tells the conversation from others: a field of the request, or its first messages. */
export type AffinitySource = "session_id" | "prompt_cache_key" | "opener"

/** Plain numbers and names, so that a plan can be saved and replayed. */
export interface Affinity {
  readonly by: AffinitySource
  /** 32 bits of a hash of account, model and conversation: too few to identify a person. */
  readonly key: number
  /** The id of the candidate of the last success, where that is not the one to which the key leads. */
  readonly pinned?: string
  /** It returns to where its key leads as soon as that is available, because other processes send it there; absent: it stays. */
  readonly returns?: true
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

/**
 * The candidate of the last success goes first in its group if it stands among the contenders and has no penalty, unless the
 * conversation returns home and can. Otherwise the race decides where the strategy draws by price (`isRaced`). Its runner-up comes
 * next, so that a fallback leads where every process sends the conversation while its home is away. Undefined when neither has a
 * say. Nothing is added or
 * removed, and nothing passes a candidate with a smaller penalty, another credential priority or another model's turn.
 */
export const applyAffinity = (
  ranked: ReadonlyArray<RankedCandidate>,
  group: number,
  { key, pinned, returns, shift = 0 }: Affinity,
  isRaced: boolean,
  home: string | undefined
): ReadonlyArray<RankedCandidate> | undefined => {
  const range = findContenders(ranked, group)
  if (range === undefined) return isRaced ? ranked : undefined
  const { end, start } = range
  const contenders = end - start === ranked.length ? ranked : ranked.slice(start, end)
  const last =
    pinned === undefined || shift > 0
      ? undefined
      : contenders.find(
          ({ candidate, effectivePenalty }) => candidate.id === pinned && effectivePenalty === 0
        )
  if (!isRaced) return last === undefined ? undefined : moveFirst(ranked, start, last)
  const winner = findRaceWinner(contenders, key, shift)
  const isHome = winner.candidate.id === home && winner.effectivePenalty === 0
  const first = last === undefined || (returns === true && isHome) ? winner : last
  if (contenders.length === 1) return ranked
  const others = contenders.filter((contender) => contender !== first)
  return moveFirst(moveFirst(ranked, start, findRaceWinner(others, key, shift)), start, first)
}

/** `first` is the first candidate of the plan; `home` is the candidate of its key, unless the strategy draws. */
export const describeAffinity = (
  { pinned, returns, shift = 0 }: Affinity,
  first: Candidate | undefined,
  home: string | undefined
): PlannedAffinity => {
  const isHome = returns === true && home !== undefined && home === first?.id
  const place = isHome ? home : (pinned ?? home)
  // A customer's own credential goes first; the conversation does not change that.
  const isDecided = first !== undefined && !isByok(first)
  const did = !isDecided
    ? "off"
    : shift > 0 || (place !== undefined && place !== first.id)
      ? "moved"
      : pinned === undefined || isHome
        ? "placed"
        : "kept"
  return home === undefined ? { did } : { did, home }
}
