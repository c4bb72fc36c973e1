/** The images of a `state`: items `{type: "image_url", image_url: {url}}` of its top-level array. */
import * as Predicate from "effect/Predicate"

const isImage = (item: unknown): boolean =>
  Predicate.isObject(item) &&
  item["type"] === "image_url" &&
  Predicate.isObject(item["image_url"]) &&
  typeof item["image_url"]["url"] === "string"

export const hasImages = (state: unknown): boolean => Array.isArray(state) && state.some(isImage)

export const listImages = (state: unknown): ReadonlyArray<unknown> =>
  Array.isArray(state) ? state.filter(isImage) : []
