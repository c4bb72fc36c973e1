/** Reads the labels of a generation's answers. */
import * as Effect from "effect/Effect"
import type { Generation } from "../../engine/observability/generations/Generation.ts"
import type { LabelableAnswer } from "../../engine/observability/generations/LabelableAnswer.ts"
import { InvalidRequest } from "../../values/errors/RequestErrors.ts"
import { findMode } from "../../questions/distribution.ts"
import { type AccountMaps, calibrateStored } from "./AccountMaps.ts"
import type { CalibrationSample } from "./CalibrationSample.ts"
import type { LabelRequest } from "./Calibrations.ts"
import { type QuestionHasher, decodeFloats, decodeIntegers } from "./QuestionHasher.ts"

/** A sample for each label and each model that answered its question, or what is wrong with the first invalid one. */
export const toSamples = (
  hasher: QuestionHasher,
  generation: Generation,
  labels: LabelRequest["labels"],
  given: Pick<CalibrationSample, "labeledAt" | "labeler" | "weight">
): Effect.Effect<ReadonlyArray<CalibrationSample>, InvalidRequest> =>
  Effect.map(
    Effect.forEach(Object.entries(labels), ([name, label]) =>
      Effect.gen(function* () {
        const path = ["labels", name]
        const hash = yield* hasher.hashName(name)
        const answers = (generation.labelable ?? []).filter((answer) => answer.name === hash)
        if (answers.length === 0) {
          return yield* new InvalidRequest({
            path,
            problem:
              "must name a question of the Decision, among its first 64 with at most 32 options each"
          })
        }
        return yield* Effect.forEach(answers, (answer) =>
          Effect.gen(function* () {
            const probabilities = Array.from(decodeFloats(answer.weights))
            const position = yield* findPosition(hasher, answer, probabilities.length, label)
            if (position === undefined) {
              return yield* new InvalidRequest({
                path,
                problem: describeLabel(answer, probabilities)
              })
            }
            return toSample(generation, answer, { probabilities, label: position, ...given })
          })
        )
      })
    ),
    (samples) => samples.flat()
  )

/**
 * The only answer of a Decision, labelled with the other one of two options. Undefined where it has more, or where its
 * maps changed which of them is the likelier one, so that it is unknown which the caller saw.
 */
export const toOppositeSample = (
  generation: Generation,
  answer: LabelableAnswer,
  maps: AccountMaps,
  given: Pick<CalibrationSample, "labeledAt" | "labeler" | "weight">
): CalibrationSample | undefined => {
  const probabilities = Array.from(decodeFloats(answer.weights))
  if (probabilities.length !== 2 || probabilities[0] === probabilities[1]) return undefined
  const mode = findMode(probabilities)
  const sample = toSample(generation, answer, { probabilities, label: 1 - mode, ...given })
  const found = maps.find(sample, sample.question)
  return findMode(calibrateStored(answer.kind, found, probabilities)) === mode ? sample : undefined
}

const toSample = (
  { account, id, method, model, requestedModel, startedAt, upstreamModel }: Generation,
  answer: LabelableAnswer,
  labeled: Pick<CalibrationSample, "label" | "labeledAt" | "labeler" | "probabilities" | "weight">
): CalibrationSample => ({
  account,
  generation: id,
  name: answer.name,
  question: answer.key,
  // The model that a map is for: the provider's name, which earlier versions kept as the model.
  model: answer.model ?? upstreamModel ?? model ?? requestedModel,
  method: answer.method ?? method ?? "",
  kind: answer.kind,
  ...(answer.pair === undefined ? undefined : { pair: answer.pair }),
  ...(answer.catalogModel === undefined ? undefined : { catalogModel: answer.catalogModel }),
  askedAt: startedAt,
  ...labeled
})

const findPosition = (
  hasher: QuestionHasher,
  { kind, labels = "" }: LabelableAnswer,
  options: number,
  label: boolean | number | string
): Effect.Effect<number | undefined> => {
  switch (kind) {
    case "noul":
      return Effect.succeed(typeof label === "boolean" ? (label ? 0 : 1) : undefined)
    case "score":
      return Effect.succeed(
        typeof label === "number" && Number.isInteger(label) && label >= 0 && label < options
          ? label
          : undefined
      )
    case "choice":
      return typeof label === "string"
        ? Effect.map(hasher.hashLabel(label), (hash) => {
            const position = decodeIntegers(labels).indexOf(hash)
            return position === -1 ? undefined : position
          })
        : Effect.undefined
  }
}

const describeLabel = ({ kind }: LabelableAnswer, { length }: ReadonlyArray<number>): string => {
  switch (kind) {
    case "noul":
      return "must be true or false"
    case "score":
      return `must be a level from 0 to ${length - 1}`
    case "choice":
      return "must be a label of the question"
  }
}
