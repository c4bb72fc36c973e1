/** What somebody says about the answer of a generation. */
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { Generation } from "../../engine/observability/generations/Generation.ts"
import { optionalText } from "../../values/schemaFields.ts"

/** What is wrong with an answer, as OpenRouter's clients name it. */
export const FeedbackCategory = Schema.Literals([
  "latency",
  "incoherence",
  "incorrect_response",
  "formatting",
  "billing",
  "api_error",
  "other"
])
export type FeedbackCategory = typeof FeedbackCategory.Type

/** A generation has one feedback of each category, the latest. */
export const Feedback = Schema.Struct({
  category: FeedbackCategory,
  /** Without secrets, at most 1,000 characters. */
  comment: optionalText,
  /** Who gave it; neither: the application itself. */
  givenBy: Schema.Struct({ user: optionalText, key: optionalText }),
  /** Milliseconds since the epoch. */
  givenAt: Schema.Finite,
  /** What figures by dimension need of the record, with the attempt that answered, else the last one. */
  generation: Generation
})
export type Feedback = typeof Feedback.Type

/** The part of a record that its feedback keeps, so that figures outlive the record. */
export const toFeedbackGeneration = (generation: Generation): Generation => {
  const { attempts } = generation
  const answered = attempts.findLast(({ outcome }) => outcome === "served") ?? attempts.at(-1)
  return {
    ...Struct.pick(generation, keptFields),
    attempts:
      answered === undefined
        ? []
        : [Struct.pick(answered, ["endpoint", "provider", "outcome", "latencyMillis"])],
    rejected: [],
    demoted: []
  }
}

const keptFields = [
  "id",
  "account",
  "workspace",
  "keyHash",
  "user",
  "externalUser",
  "tags",
  "operation",
  "startedAt",
  "latencyMillis",
  "requestedModel",
  "model",
  "provider",
  "error",
  "experiment",
  "preset",
  "configuration"
] as const

/** How often each category was given. */
export type FeedbackCounts = Readonly<Partial<Record<FeedbackCategory, number>>>

export const countFeedback = (all: ReadonlyArray<Feedback>): FeedbackCounts => {
  const counts: Partial<Record<FeedbackCategory, number>> = {}
  for (const { category } of all) counts[category] = (counts[category] ?? 0) + 1
  return counts
}
