/** Writes the input of a call from any server as the JSON text of an object. */
import { findJson, isObject } from "../../values/json/guards.ts"

/** Servers that translate the answers of others may leave it a text. */
export const writeInput = (input: unknown): string => {
  if (typeof input === "string" && isObject(findJson(input))) return input
  return JSON.stringify(isObject(input) ? input : {})
}
