/** Compiles a parsed expression to states of an automaton. */
import type { Assertion, Node, Ranges } from "./parsePattern.ts"

/** What an expression compiles to: the next states in order of preference. */
export type State =
  | { readonly type: "match" }
  | { readonly type: "set"; readonly ranges: Ranges; readonly next: number }
  | { readonly type: "assert"; readonly assertion: Assertion; readonly next: number }
  | { readonly type: "split"; readonly nexts: ReadonlyArray<number> }

/** Bounds the time for a character, and memory. */
export const maxStates = 1_000
/** Returns the state that begins `node` and goes on at `next`; undefined when there are too many. */
export const addStates = (states: Array<State>, node: Node, next: number): number | undefined => {
  if (states.length > maxStates) return undefined
  const add = (state: State): number => states.push(state) - 1
  switch (node.type) {
    case "empty":
      return next
    case "set":
      return add({ type: "set", ranges: node.ranges, next })
    case "assert":
      return add({ type: "assert", assertion: node.assertion, next })
    case "all": {
      let at: number | undefined = next
      for (const item of node.items.toReversed()) {
        if (at !== undefined) at = addStates(states, item, at)
      }
      return at
    }
    case "any": {
      const nexts: Array<number> = []
      for (const item of node.items) {
        const begin = addStates(states, item, next)
        if (begin === undefined) return undefined
        nexts.push(begin)
      }
      return add({ type: "split", nexts })
    }
    case "repeat":
      return addRepeat(states, node, next)
  }
}

const addRepeat = (
  states: Array<State>,
  { isLazy, item, max, min }: Extract<Node, { readonly type: "repeat" }>,
  next: number
): number | undefined => {
  const toSplit = (again: number, on: number): State => ({
    type: "split",
    nexts: isLazy ? [on, again] : [again, on]
  })
  let at: number | undefined = next
  if (max === Infinity) {
    const loop = states.push({ type: "match" }) - 1
    const again = addStates(states, item, loop)
    if (again === undefined) return undefined
    states[loop] = toSplit(again, next)
    at = loop
  } else {
    for (let count = min; count < max; count++) {
      const again: number | undefined = addStates(states, item, at)
      if (again === undefined) return undefined
      at = states.push(toSplit(again, next)) - 1
    }
  }
  for (let count = 0; count < min; count++) {
    if (at === undefined) return undefined
    at = addStates(states, item, at)
  }
  return at
}

/** What every match begins with. */
export const findPrefix = (states: ReadonlyArray<State>, start: number): string => {
  let prefix = ""
  for (let state = states[start]; state?.type === "set"; state = states[state.next]) {
    const [range] = state.ranges
    if (range === undefined || state.ranges.length > 1 || range[0] !== range[1]) break
    prefix += String.fromCharCode(range[0])
  }
  return prefix
}
