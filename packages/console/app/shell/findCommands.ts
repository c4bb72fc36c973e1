/** Where the dialog "Go to" leads for what is typed in it. */
import { toHash } from "../routing/location.ts"

/** The part of a page that the dialog needs. */
interface Place {
  readonly group: string
  readonly path: string
  readonly title: string
}

export interface Command {
  readonly label: string
  /** What kind of thing it is, such as the group of a page. */
  readonly kind: string
  /** The hash of its page. */
  readonly target: string
}

/** Ids of requests, and what clients send as their id: a text without spaces that is no word. */
const idForm = /^(?=\S*[\d_-])\S{6,200}$/

/** The pages whose names have all typed words, then the request of that id. */
export const findCommands = (
  pages: ReadonlyArray<Place>,
  typed: string
): ReadonlyArray<Command> => {
  const text = typed.trim()
  const words = text.toLowerCase().split(/\s+/)
  const found = pages
    .filter(({ group, title }) => {
      const name = `${title} ${group}`.toLowerCase()
      return words.every((word) => name.includes(word))
    })
    .map(({ group, path, title }) => ({ label: title, kind: group, target: toHash([path]) }))
  if (!idForm.test(text)) return found
  return [...found, { label: text, kind: "Request by its id", target: toHash(["requests", text]) }]
}
