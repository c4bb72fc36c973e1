/**
 * Parts of a request that are written in another way than the caller's, or left out, because the provider is known to
 * refuse them.
 */
import type { ChatCall } from "../engine/upstreams/ChatCapability.ts"
import type { Path } from "./RequestProblems.ts"

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
