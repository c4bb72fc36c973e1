/** Checks of untrusted JSON on the path of every Decision, where a schema would cost more than the answer. */
import * as Predicate from "effect/Predicate"

/** Neither `null` nor an array. */
export const isObject: (value: unknown) => value is Readonly<Record<string, unknown>> =
  Predicate.isObject

export const isCount = (value: unknown): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0

export const isAtLeastZero = (value: unknown): value is number =>
  typeof value === "number" && Number.isFinite(value) && value >= 0

/** A number from 0 to 1. */
export const isUnit = (value: unknown): value is number =>
  typeof value === "number" && value >= 0 && value <= 1
