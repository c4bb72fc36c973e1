/** Computes the expected answer independently of the service. */
import { listOptions } from "@signalbox/core/upstream"
import { expect } from "vitest"
import type { GeneratedQuestion } from "./arbitraryQuestions.ts"
import { isObject, getProperty } from "../support/getProperty.ts"

const sum = (numbers: ReadonlyArray<number>): number =>
  numbers.reduce((total, number) => total + number, 0)

/** Scales weights of any magnitude to sum to 1; weights of 0 become uniform. */
export const normalize = (weights: ReadonlyArray<number>): ReadonlyArray<number> => {
  const greatest = Math.max(...weights)
  if (greatest === 0) return weights.map(() => 1 / weights.length)
  const relative = weights.map((weight) => weight / greatest)
  return relative.map((weight) => weight / sum(relative))
}

export const max = (numbers: ReadonlyArray<number>): number => numbers.indexOf(Math.max(...numbers))

export const toExpectedLevel = (probabilities: ReadonlyArray<number>): number =>
  Math.min(
    sum(probabilities.map((probability, level) => probability * level)),
    probabilities.length - 1
  )

export const computeChoiceConfidence = (probabilities: ReadonlyArray<number>): number => {
  const n = probabilities.length
  return n === 1 ? 1 : (Math.max(...probabilities) - 1 / n) / (1 - 1 / n)
}

export const computeScoreConfidence = (probabilities: ReadonlyArray<number>): number => {
  const n = probabilities.length
  if (n === 1) return 1
  const mode = max(probabilities)
  const spread = sum(probabilities.map((p, level) => p * Math.abs(level - mode)))
  const uniform = sum(probabilities.map((_, level) => Math.abs(level - (n - 1) / 2))) / n
  return Math.max(0, 1 - spread / uniform)
}

/** Expects `answers` to answer exactly these questions, with any numbers. */
export const expectWellFormed = (
  requested: ReadonlyArray<GeneratedQuestion>,
  answers: unknown
): void => {
  if (!isObject(answers)) throw new Error("there are no answers")
  expect(Object.keys(answers).toSorted()).toEqual(requested.map(({ name }) => name).toSorted())
  for (const { name, question } of requested) {
    const answer = answers[name]
    const number = (key: string): number => {
      const value = getProperty(answer, key)
      if (typeof value !== "number") throw new Error(`"${name}" has no ${key}`)
      return value
    }
    expect(getProperty(answer, "type")).toBe(question.type)
    if (question.type === "noul") {
      expectBetween(number("noul"), 1)
      continue
    }
    const labels = listOptions(question).map(({ label }) => label)
    const probabilities = getProperty(answer, "probabilities")
    if (!isObject(probabilities)) throw new Error(`"${name}" has no probabilities`)
    expect(Object.keys(probabilities).toSorted()).toEqual(labels.toSorted())
    const numbers = Object.values(probabilities).map(Number)
    for (const probability of numbers) expectBetween(probability, 1)
    expect(Math.abs(sum(numbers) - 1)).toBeLessThanOrEqual(1e-9)
    expectBetween(number("confidence"), 1)
    if (question.type === "choice") {
      expect(labels).toContain(getProperty(answer, "choice"))
    } else {
      expectBetween(number("score"), labels.length - 1)
      const legend = Object.fromEntries(question.criteria.entries())
      // JSON has no -0.
      expect(getProperty(answer, "legend")).toEqual(JSON.parse(JSON.stringify(legend)))
    }
  }
}

const expectBetween = (value: number, greatest: number): void => {
  expect(value).toBeGreaterThanOrEqual(0)
  expect(value).toBeLessThanOrEqual(greatest)
}
