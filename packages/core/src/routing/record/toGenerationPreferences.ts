/** The routing preferences in the record of a request: those that it set. */
import * as Predicate from "effect/Predicate"
import type { Generation } from "../../engine/observability/generations/Generation.ts"
import * as Preferences from "../Preferences.ts"

/** Undefined when it set none; a null and an empty list count as not set. */
export const toGenerationPreferences = (
  preferences: Preferences.Preferences
): Generation["preferences"] => {
  if (preferences === Preferences.none) return undefined
  const set: Record<string, unknown> = {}
  // By name, because videos have fields for providers in the same object, which are content.
  for (const name of Preferences.names) {
    const value = pickSet(preferences[name])
    if (value !== undefined) set[name] = value
  }
  return Object.keys(set).length === 0 ? undefined : set
}

const pickSet = (value: unknown): unknown => {
  if (value == null) return undefined
  if (Array.isArray(value)) return value.length === 0 ? undefined : value
  if (!Predicate.isObject(value)) return value
  const entries = Object.entries(value).filter(([, member]) => member != null)
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}
