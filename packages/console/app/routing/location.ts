/** Where the page is: a path and a query behind the `#`, which works under every mount. */
import { useEffect, useState } from "preact/hooks"

export interface Location {
  /** Decoded segments: `#/requests/gen-1` is `["requests", "gen-1"]`. */
  readonly path: ReadonlyArray<string>
  readonly query: Readonly<Record<string, string>>
}

const parseHash = (hash: string): Location => {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?")
  return {
    path: path.split("/").filter(Boolean).map(decode),
    query: Object.fromEntries(new URLSearchParams(query))
  }
}

/** Undefined and empty values are left out of the query. */
export const toHash = (
  path: ReadonlyArray<string>,
  query: Readonly<Record<string, string | undefined>> = {}
): string => {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [[name, value]]
  )
  const search = given.length === 0 ? "" : `?${new URLSearchParams(given).toString()}`
  return `#/${path.map(encodeURIComponent).join("/")}${search}`
}

export const navigate = (hash: string): void => {
  location.hash = hash
}

/** Leads on without a new entry in the history. */
export const replaceHash = (hash: string): void => {
  if (hash === location.hash) return
  history.replaceState(null, "", hash)
  dispatchEvent(new HashChangeEvent("hashchange"))
}

/** Changes the query of the present page, without a new entry in the history. Undefined removes a value. */
export const setQuery = (change: Readonly<Record<string, string | undefined>>): void => {
  const { path, query } = parseHash(location.hash)
  replaceHash(toHash(path, { ...query, ...change }))
}

export const useLocation = (): Location => {
  const [hash, setHash] = useState(location.hash)
  useEffect(() => {
    const update = () => setHash(location.hash)
    addEventListener("hashchange", update)
    return () => removeEventListener("hashchange", update)
  }, [])
  return parseHash(hash)
}

/** The user may have edited the address. */
const decode = (segment: string): string => {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
