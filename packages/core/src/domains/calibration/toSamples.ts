/** Reads the labels of a generation's answers. */
import * as Effect from "effect/Effect"
import type { Generation } from "../../engine/observability/generations/Generation.ts"
import type { LabelableAnswer } from "../../engine/observability/generations/LabelableAnswer.ts"
import { InvalidRequest } from "../../values/errors/RequestErrors.ts"
import type { CalibrationSample } from "./CalibrationSample.ts"
import type { LabelRequest } from "./Calibrations.ts"
import { type QuestionHasher, decodeFloats, decodeIntegers } from "./QuestionHasher.ts"

/** A sample for each label and each model that answered its question, or what is wrong with the first invalid one. */
export const toSamples = (
  hasher: QuestionHasher,
  { account, id, labelable = [], method, requestedModel, startedAt, ...record }: Generation,
  labels: LabelRequest["labels"],
  given: Pick<CalibrationSample, "labeledAt" | "labeler" | "weight">
): Effect.Effect<ReadonlyArray<CalibrationSample>, InvalidRequest> =>
  Effect.map(
    Effect.forEach(Object.entries(labels), ([name, label]) =>
      Effect.gen(function* () {
        const path = ["labels", name]
        const hash = yield* hasher.hashName(name)
        const answers = labelable.filter((answer) => answer.name === hash)
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
            return {
              account,
              generation: id,
              name: hash,
              question: answer.key,
              // The model that a map is for: the provider's name, which earlier versions kept as the model.
              model: answer.model ?? record.upstreamModel ?? record.model ?? requestedModel,
              method: answer.method ?? method ?? "",
              kind: answer.kind,
              probabilities,
              label: position,
              ...(answer.pair === undefined ? undefined : { pair: answer.pair }),
              ...(answer.catalogModel === undefined
                ? undefined
                : { catalogModel: answer.catalogModel }),
              askedAt: startedAt,
              ...given
            }
          })
        )
      })
    ),
    (samples) => samples.flat()
  )

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
