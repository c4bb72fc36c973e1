/** What a viewer prefers, kept in this browser. */
import { useEffect, useState } from "preact/hooks"

export const themes = ["system", "light", "dark"] as const
type Theme = (typeof themes)[number]

export interface Preferences {
  readonly theme: Theme
  /** Whether times are shown, and typed, in UTC instead of the zone of the viewer. */
  readonly isUtc: boolean
  /** Whether single letters are shortcuts. */
  readonly hasLetterKeys: boolean
  /** The columns of requests by their names; undefined: those that are shown at first. */
  readonly requestColumns?: ReadonlyArray<string>
}

const key = "signalbox-console"

const defaults: Preferences = { theme: "system", isUtc: false, hasLetterKeys: true }

/** Undefined until they are read. */
let current: Preferences | undefined

const listeners = new Set<() => void>()

export const getPreferences = (): Preferences => (current ??= load())

/** A browser that keeps nothing forgets them with the page. */
export const setPreferences = (change: Partial<Preferences>): void => {
  current = { ...getPreferences(), ...change }
  try {
    localStorage.setItem(key, JSON.stringify(current))
  } catch {
    // It is full, or forbidden.
  }
  for (const notify of listeners) notify()
}

/** Calls `run` after each change, until the returned function is called. */
export const followPreferences = (run: () => void): (() => void) => {
  listeners.add(run)
  return () => listeners.delete(run)
}

export const usePreferences = (): Preferences => {
  const [preferences, setShown] = useState(getPreferences)
  useEffect(() => followPreferences(() => setShown(getPreferences())), [])
  return preferences
}

const load = (): Preferences => {
  // Unit tests have no browser.
  if (typeof document === "undefined") return defaults
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? "{}")
    const { hasLetterKeys, isUtc, requestColumns, theme } = Object(kept) as Readonly<
      Record<string, unknown>
    >
    return {
      theme: themes.find((known) => known === theme) ?? defaults.theme,
      isUtc: isUtc === true,
      hasLetterKeys: hasLetterKeys !== false,
      ...(Array.isArray(requestColumns)
        ? { requestColumns: requestColumns.map(String) }
        : undefined)
    }
  } catch {
    return defaults
  }
}
