/** Finds the sizes of requests that every candidate of a list takes. */
import { type Candidate, isByok } from "../Candidate.ts"
import type { Requirements } from "../Requirements.ts"
import { searchesUnasked } from "./rules/toolModelRules.ts"

/** The least of the limits of all candidates, in tokens. */
export class PlanBounds {
  readonly #contextLength: number
  readonly #maxPromptTokens: number
  readonly #maxCompletionTokens: number

  constructor(candidates: ReadonlyArray<Candidate>) {
    const endpoints = candidates.map(({ endpoint }) => endpoint)
    this.#contextLength = findLeast(endpoints.map(({ contextLength }) => contextLength))
    this.#maxPromptTokens = findLeast(endpoints.map(({ maxPromptTokens }) => maxPromptTokens))
    this.#maxCompletionTokens = findLeast(
      endpoints.map(({ maxCompletionTokens }) => maxCompletionTokens)
    )
  }

  fits({ inputTokens, outputTokens }: Requirements): boolean {
    return (
      inputTokens <= this.#maxPromptTokens &&
      inputTokens + outputTokens <= this.#contextLength &&
      outputTokens <= this.#maxCompletionTokens
    )
  }
}

const findLeast = (limits: ReadonlyArray<number | undefined>): number =>
  Math.min(...limits.map((limit = Infinity) => limit))

/**
 * Undefined where the size of a request may change more than its costs: with conditional prices, customers' own credentials,
 * and tools that a provider runs unasked.
 */
export const findPlanBounds = (candidates: ReadonlyArray<Candidate>): PlanBounds | undefined =>
  candidates.length === 0 || candidates.some(isUnusual) ? undefined : new PlanBounds(candidates)

const isUnusual = (candidate: Candidate): boolean =>
  candidate.price.conditional !== undefined || isByok(candidate) || searchesUnasked(candidate)
