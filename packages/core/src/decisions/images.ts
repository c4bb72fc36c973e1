/** The images of a `state`: items `{type: "image_url", image_url: {url}}` of its top-level array. */
import * as Predicate from "effect/Predicate"
import type { DecisionRequest } from "./DecisionRequest.ts"

/** Source: semantics C2. */
const isImage = (item: unknown): boolean =>
  Predicate.isObject(item) &&
  item["type"] === "image_url" &&
  Predicate.isObject(item["image_url"]) &&
  typeof item["image_url"]["url"] === "string"

export const hasImages = (state: unknown): boolean => Array.isArray(state) && state.some(isImage)

/** What a model reads as text, and how many images it looks at. */
export const splitImages = (
  state: DecisionRequest["state"]
): { readonly rest: DecisionRequest["state"]; readonly images: number } => {
  if (!Array.isArray(state)) return { rest: state, images: 0 }
  const rest = state.filter((item) => !isImage(item))
  return { rest, images: state.length - rest.length }
}
