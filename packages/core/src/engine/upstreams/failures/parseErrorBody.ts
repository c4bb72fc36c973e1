/** Parses the body of an error response, which may be HTML or empty. */
import { findJson } from "../../../values/json/findJson.ts"

/** Google's edge answers with a list of one. */
export const parseErrorBody = (body: string): unknown => {
  const json = findJson(body)
  return Array.isArray(json) ? json[0] : json
}
