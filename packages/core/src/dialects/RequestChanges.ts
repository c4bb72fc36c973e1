/** What a writer says in another way than the caller, or leaves out, because the provider is known to refuse it. */
import type { ChatCall } from "../engine/upstreams/ChatCapability.ts"
import type { Path } from "./RequestProblems.ts"

/** Collects the places of one request while it is written. */
export class RequestChanges {
  #places: Set<string> | undefined

  /** `path` by the names of the request that is written from, such as `["messages", 3, "content"]`. */
  add(path: Path): void {
    ;(this.#places ??= new Set()).add(path.join("."))
  }

  /** Undefined: everything is sent as it was said. */
  list(): ReadonlyArray<string> | undefined {
    return this.#places && Array.from(this.#places)
  }
}

/** The messages of a translation are others than those of the caller, so that a place among them says nothing. */
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
