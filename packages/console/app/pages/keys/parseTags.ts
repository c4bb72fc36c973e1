/** Tags as a form has them: `customer:acme, team:search`. */
import { RequestError } from "../../api/request.ts"
import { parseList } from "../../components/FormField.ts"

/** Throws an error that says what is none. A value may have colons. */
export const parseTags = (text = ""): Readonly<Record<string, string>> =>
  Object.fromEntries(
    parseList(text).map((tag) => {
      const at = tag.indexOf(":")
      if (at < 1 || at === tag.length - 1) {
        throw new RequestError(0, `${tag} is no tag: write a name, a colon and a value.`)
      }
      return [tag.slice(0, at).trim(), tag.slice(at + 1).trim()]
    })
  )

export const formatTags = (tags: Readonly<Record<string, string>>): ReadonlyArray<string> =>
  Object.entries(tags).map(([name, value]) => `${name}:${value}`)
