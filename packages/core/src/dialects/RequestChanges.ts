/**
 * Parts of a request that are written in another way than the caller's, or left out, because the provider is known to
 * refuse them.
 */
import type { Conversation } from "../conversation/Conversation.ts"
import type { Dialect } from "../conversation/Dialect.ts"
import type { Part } from "../conversation/Part.ts"
import type { ChatCall } from "../engine/upstreams/ChatCapability.ts"
import { setOwn } from "../values/ownFields.ts"
import type { Path } from "./UntranslatableRequest.ts"

/** Collects the places of one request while it is written. */
export class RequestChanges {
  #places: Set<string> | undefined

  /** `path` by the names of the request that is written from, such as `["messages", 3, "content"]`. */
  add(path: Path): void {
    ;(this.#places ??= new Set()).add(path.join("."))
  }

  /** Undefined: everything is sent as the caller wrote it. */
  list(): ReadonlyArray<string> | undefined {
    return this.#places && Array.from(this.#places)
  }
}

/** A translation has other messages than the caller's request, so an index among them means nothing to the caller. */
export const reportChanges = (
  {
    native,
    onChange
  }: { readonly native: ChatCall["native"]; readonly onChange?: ChatCall["onChange"] | undefined },
  changes: RequestChanges,
  isNative = native.dialect === "chat"
): void => {
  const places = changes.list()
  if (places === undefined || onChange === undefined) return
  onChange(
    isNative
      ? places
      : Array.from(new Set(places.map((place) => place.replace(/^messages\..*/, "messages"))))
  )
}

/**
 * Reports `messages` as a whole, because a turn may hold several messages of the caller. `dialect` is absent where no part of any
 * has a place.
 */
export const reportForeignParts = (
  { turns }: Conversation,
  dialect: Dialect | undefined,
  changes: RequestChanges
): void => {
  for (const { parts } of turns) {
    for (const part of parts) if (isForeign(part, dialect)) return changes.add(["messages"])
  }
}

const isForeign = (part: Part, dialect: Dialect | undefined): boolean => {
  if (part.type === "opaque") return part.dialect !== dialect
  return part.type === "result" && part.content.some((each) => isForeign(each, dialect))
}

export const hasSeveralAnswers = ({ answers = 1 }: Pick<Conversation, "answers">): boolean =>
  answers > 1

/** Several answers to one request: most dialects have one. */
export const severalAnswers = "must be 1: this provider's API gives one answer to a request"

/** Tells the caller what of an answer its API has no place for. */
type Json = Readonly<Record<string, unknown>>

/** The types of the parts that are left out, such as a picture beside a text, in order; nothing: all of it has a place. */
export const writeOmitted = (left: ReadonlyArray<{ readonly type: string }>): Json =>
  left.length === 0 ? none : { omitted_content: left.map(({ type }) => type) }

const none: Json = {}

/**
 * Changes some fields of a request that is passed on as its caller wrote it. Fields keep their places, new ones come
 * last, and undefined removes a field.
 */
export const replaceFields = (body: Json, fields: Json): Json => {
  // Most requests lose nothing, and a copy as a whole makes far less garbage than one field by field.
  if (!hasRemoved(fields)) return { ...body, ...fields }
  const replaced: Record<string, unknown> = {}
  for (const name of Object.keys(body)) {
    const value = Object.hasOwn(fields, name) ? fields[name] : body[name]
    if (value !== undefined) setOwn(replaced, name, value)
  }
  for (const name of Object.keys(fields)) {
    if (!Object.hasOwn(body, name) && fields[name] !== undefined)
      setOwn(replaced, name, fields[name])
  }
  return replaced
}

const hasRemoved = (fields: Json): boolean => {
  for (const name in fields) if (fields[name] === undefined) return true
  return false
}
