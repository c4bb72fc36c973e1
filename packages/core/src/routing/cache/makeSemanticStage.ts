/** Asks the semantic cache of the host after an exact miss. What it fails at, or takes long for, hurts no request. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import {
  type AnsweredPrompt,
  callSemanticCache,
  type SemanticCache,
  type SemanticPrompt
} from "../../engine/cache/SemanticCache.ts"
import { tolerateFailures } from "./tolerateFailures.ts"

type Unsignalled<Prompt> = Omit<Prompt, "signal">

export interface SemanticStage {
  /** The key of a stored answer to the same question; undefined: none is known. */
  readonly find: (prompt: Unsignalled<SemanticPrompt>) => Effect.Effect<string | undefined>
  /** Ends at once: the request does not wait for it. */
  readonly add: (prompt: Unsignalled<AnsweredPrompt>) => Effect.Effect<void>
}

/** What is added is interrupted when `scope` closes. */
export const makeSemanticStage = (
  semantic: SemanticCache,
  timeoutMillis: number,
  scope: Scope.Scope
): SemanticStage => {
  const attemptFind = tolerateFailures("the semantic cache cannot be asked now")
  const attemptAdd = tolerateFailures("the semantic cache takes no prompts now")
  let adding = 0
  return {
    find: (prompt) =>
      attemptFind(
        Effect.map(
          callSemanticCache((signal) => semantic.find({ ...prompt, signal }), timeoutMillis),
          (key) => {
            // The code of a host may return anything.
            if (key !== undefined && typeof key !== "string")
              throw new TypeError("find must return a key or undefined")
            return key
          }
        ),
        undefined
      ),
    add: (prompt) => {
      if (adding >= maxAdding) return Effect.asVoid(attemptAdd(Effect.fail(tooSlow), undefined))
      adding++
      return callSemanticCache((signal) => semantic.add({ ...prompt, signal }), timeoutMillis).pipe(
        (call) => attemptAdd(call, undefined),
        Effect.ensuring(Effect.sync(() => adding--)),
        Effect.forkIn(scope, { startImmediately: true }),
        Effect.asVoid
      )
    }
  }
}

/** How many prompts are added at once; more are left out, so that a slow cache cannot fill the memory. */
const maxAdding = 64

const tooSlow = `${maxAdding} prompts are being added, so that others are left out`
