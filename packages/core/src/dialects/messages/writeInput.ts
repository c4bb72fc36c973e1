/** Writes the input of a call from any server as the JSON text of an object. */
import { findJson } from "../../values/json/findJson.ts"
import { isObject } from "../../values/json/isObject.ts"

/** Servers that translate the answers of others may leave it a text. */
export const writeInput = (input: unknown): string => {
  if (typeof input === "string" && isObject(findJson(input))) return input
  return JSON.stringify(isObject(input) ? input : {})
}
