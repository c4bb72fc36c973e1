/** The colours of the console: those that the viewer chose, else those of the system. */
import { useEffect, useState } from "preact/hooks"
import { followPreferences, getPreferences } from "./preferences.ts"

type ColorScheme = "dark" | "light"

const query = "(prefers-color-scheme: dark)"

const getColorScheme = (): ColorScheme => {
  const { theme } = getPreferences()
  if (theme !== "system") return theme
  return matchMedia(query).matches ? "dark" : "light"
}

/** Keeps the attribute up to date that the style sheet reads. Call it once, before anything is drawn. */
export const applyColorScheme = (): void => {
  setTheme()
  matchMedia(query).addEventListener("change", setTheme)
  followPreferences(setTheme)
}

const setTheme = (): void => document.documentElement.setAttribute("data-theme", getColorScheme())

/** For canvases, which have to be drawn again after a change. */
export const useColorScheme = (): ColorScheme => {
  const [scheme, setScheme] = useState(getColorScheme)
  useEffect(() => {
    const media = matchMedia(query)
    const update = () => setScheme(getColorScheme())
    media.addEventListener("change", update)
    const stop = followPreferences(update)
    return () => {
      media.removeEventListener("change", update)
      stop()
    }
  }, [])
  return scheme
}
