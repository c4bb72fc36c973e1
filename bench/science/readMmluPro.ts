/** Reads the answers of models to MMLU-Pro: see bench/data/science/README.md. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"

/** A model's answers to the same questions. */
export interface ModelAnswer {
  /** The number of the question, by which answers of several models belong together. */
  readonly row: number
  /** Position of the right letter, 0 to 9. */
  readonly correct: number
  /** Position of the letter that the model chose. */
  readonly answer: number
  /** The confidence, 0 to 1: stated by the model, or the exponential of its mean log-probability. */
  readonly confidence: number
}

export const models = {
  nano: "GPT-4.1 nano",
  mini: "GPT-4.1 mini",
  full: "GPT-4.1",
  l8: "Llama 3.1 8B",
  l70: "Llama 3.1 70B",
  l405: "Llama 3.1 405B",
  lite: "Gemini Flash-Lite",
  flash: "Gemini Flash",
  haiku: "Claude Haiku",
  sonnet: "Claude Sonnet"
} as const
export type ModelColumn = keyof typeof models

const path = join(import.meta.dirname, "../data/science/decisions-mmlupro-half0.csv.gz")

const readRows = (): ReadonlyArray<ReadonlyArray<string>> =>
  gunzipSync(readFileSync(path))
    .toString()
    .trimEnd()
    .split("\n")
    .map((line) => line.split(","))

/** Rows without an answer or a confidence are left out. */
export const readMmluPro = (
  model: ModelColumn,
  measure: "stated" | "logit"
): ReadonlyArray<ModelAnswer> => {
  const [header = [], ...rows] = readRows()
  const answerAt = header.indexOf(`${model}_answer`)
  const confidenceAt = header.indexOf(`${model}_${measure}`)
  const scale = measure === "stated" ? 100 : 1_000
  return rows.flatMap((row) => {
    const [answer = "", confidence = "", correct = ""] = [
      row[answerAt],
      row[confidenceAt],
      row[header.indexOf("correct")]
    ]
    if (answer === "" || confidence === "") return []
    return [
      {
        row: Number(row[0]),
        correct: toPosition(correct),
        answer: toPosition(answer),
        confidence: Number(confidence) / scale
      }
    ]
  })
}

const toPosition = (letter: string): number => letter.charCodeAt(0) - "A".charCodeAt(0)
