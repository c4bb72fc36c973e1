/** What an answer must be, worked out apart from the service. Source: semantics C1. */
import { options } from "@signalbox/core/upstream"
import { expect } from "vitest"
import type { Asked } from "./arbitraries.ts"
import { isObject, property } from "./property.ts"

const sum = (numbers: ReadonlyArray<number>): number =>
  numbers.reduce((total, number) => total + number, 0)

/** The weights scaled to sum to 1, whatever their size; all 0 becomes uniform. */
export const normalised = (weights: ReadonlyArray<number>): ReadonlyArray<number> => {
  const greatest = Math.max(...weights)
  if (greatest === 0) return weights.map(() => 1 / weights.length)
  const relative = weights.map((weight) => weight / greatest)
  return relative.map((weight) => weight / sum(relative))
}

export const greatestOf = (numbers: ReadonlyArray<number>): number =>
  numbers.indexOf(Math.max(...numbers))

export const expectedLevel = (probabilities: ReadonlyArray<number>): number =>
  Math.min(
    sum(probabilities.map((probability, level) => probability * level)),
    probabilities.length - 1
  )

export const choiceConfidence = (probabilities: ReadonlyArray<number>): number => {
  const n = probabilities.length
  return n === 1 ? 1 : (Math.max(...probabilities) - 1 / n) / (1 - 1 / n)
}

export const scoreConfidence = (probabilities: ReadonlyArray<number>): number => {
  const n = probabilities.length
  if (n === 1) return 1
  const mode = greatestOf(probabilities)
  const spread = sum(probabilities.map((p, level) => p * Math.abs(level - mode)))
  const uniform = sum(probabilities.map((_, level) => Math.abs(level - (n - 1) / 2))) / n
  return Math.max(0, 1 - spread / uniform)
}

/** Whether `answers` are answers to exactly these questions, whatever the numbers in them. */
export const expectWellFormed = (asked: ReadonlyArray<Asked>, answers: unknown): void => {
  if (!isObject(answers)) throw new Error("there are no answers")
  expect(Object.keys(answers).toSorted()).toEqual(asked.map(({ name }) => name).toSorted())
  for (const { name, question } of asked) {
    const answer = answers[name]
    const number = (key: string): number => {
      const value = property(answer, key)
      if (typeof value !== "number") throw new Error(`"${name}" has no ${key}`)
      return value
    }
    expect(property(answer, "type")).toBe(question.type)
    if (question.type === "noul") {
      expectBetween(number("noul"), 1)
      continue
    }
    const labels = options(question).map(({ label }) => label)
    const probabilities = property(answer, "probabilities")
    if (!isObject(probabilities)) throw new Error(`"${name}" has no probabilities`)
    expect(Object.keys(probabilities).toSorted()).toEqual(labels.toSorted())
    const numbers = Object.values(probabilities).map(Number)
    for (const probability of numbers) expectBetween(probability, 1)
    expect(Math.abs(sum(numbers) - 1)).toBeLessThanOrEqual(1e-9)
    expectBetween(number("confidence"), 1)
    if (question.type === "choice") {
      expect(labels).toContain(property(answer, "choice"))
    } else {
      expectBetween(number("score"), labels.length - 1)
      const legend = Object.fromEntries(question.criteria.entries())
      // As JSON has it, which knows no -0.
      expect(property(answer, "legend")).toEqual(JSON.parse(JSON.stringify(legend)))
    }
  }
}

const expectBetween = (value: number, greatest: number): void => {
  expect(value).toBeGreaterThanOrEqual(0)
  expect(value).toBeLessThanOrEqual(greatest)
}
