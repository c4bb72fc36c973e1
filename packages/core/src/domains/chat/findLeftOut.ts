/** Finds the messages in the middle of a conversation that are left out, so that the rest still is one. */

/** Who says a message: an `instruction` is the application's, and a `result` answers a call of the model. */
export type Speaker = "instruction" | "model" | "result" | "user"

export interface SaidItem {
  readonly speaker: Speaker
  readonly tokens: number
}

/** What the model says and the results of its calls, or one message of the user. */
interface Round {
  readonly isUser: boolean
  readonly items: Array<number>
  tokens: number
}

/**
 * Indices of items that have at least this many tokens together; undefined: too few may be left out. Instructions, the last
 * message of the user and the last round stay. Exchanges are left out as a whole, from the middle of the conversation to its
 * ends, because models read the middle least. Within the first exchange and the last, calls go together with their
 * results. The first exchange is left out last.
 */
export const findLeftOut = (
  items: ReadonlyArray<SaidItem>,
  tokens: number
): ReadonlySet<number> | undefined => {
  const exchanges = groupExchanges(groupRounds(items))
  const first = exchanges[0] ?? []
  const last = exchanges.at(-1) ?? []
  const inner =
    exchanges.length > 1 ? [...first.slice(1, -1), ...last.slice(1, -1)] : last.slice(1, -1)
  const steps: ReadonlyArray<ReadonlyArray<Round>> = [
    ...fromMiddle(exchanges.slice(1, -1)),
    ...fromMiddle(inner).map((round) => [round]),
    ...(exchanges.length > 1 ? [first.filter((round) => !inner.includes(round))] : [])
  ]
  const leftOut = new Set<number>()
  let missing = tokens
  for (const step of steps) {
    if (missing <= 0) break
    for (const round of step) {
      missing -= round.tokens
      for (const at of round.items) leftOut.add(at)
    }
  }
  return missing > 0 ? undefined : new Set([...leftOut].toSorted((one, other) => one - other))
}

/** Without instructions. A result belongs to what the model said before it. */
const groupRounds = (items: ReadonlyArray<SaidItem>): ReadonlyArray<Round> => {
  const rounds: Array<Round> = []
  let before: Speaker | undefined
  for (const [at, { speaker, tokens }] of items.entries()) {
    if (speaker === "instruction") continue
    const open = rounds.at(-1)
    const continues =
      open !== undefined && (speaker === "result" || (speaker === "model" && before === "model"))
    if (continues) {
      open.items.push(at)
      open.tokens += tokens
    } else rounds.push({ isUser: speaker === "user", items: [at], tokens })
    before = speaker
  }
  return rounds
}

/** A message of the user, and all rounds up to the next one. */
const groupExchanges = (rounds: ReadonlyArray<Round>): ReadonlyArray<ReadonlyArray<Round>> => {
  const exchanges: Array<Array<Round>> = []
  for (const round of rounds) {
    const open = exchanges.at(-1)
    if (open === undefined || round.isUser) exchanges.push([round])
    else open.push(round)
  }
  return exchanges
}

/** The one in the middle comes first. */
const fromMiddle = <A>(list: ReadonlyArray<A>): ReadonlyArray<A> => {
  const middle = (list.length - 1) / 2
  return list
    .map((each, at) => ({ each, distance: Math.abs(at - middle) }))
    .toSorted((one, other) => one.distance - other.distance)
    .map(({ each }) => each)
}
